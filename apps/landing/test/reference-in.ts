/** The lead reference that a visitor was sent on with. */
export const referenceIn = (location: string | undefined): string =>
  new URL(location ?? '').searchParams.get('serviceId') ?? '';
