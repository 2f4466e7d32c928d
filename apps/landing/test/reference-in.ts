/** The lead reference in a redirect to the target page. */
export const referenceIn = (location: string | undefined): string =>
  new URL(location ?? '').searchParams.get('serviceId') ?? '';
