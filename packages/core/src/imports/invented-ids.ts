interface MaybeInvented {
  readonly outcome: string;
  readonly id?: number | undefined;
}

/** The outcomes of a dry run without ids of records that it only tried to create. */
export const withoutInventedIds = <Outcome extends MaybeInvented>(outcomes: readonly Outcome[]): Outcome[] => {
  const invented = new Set(outcomes.filter(({ outcome }) => outcome === 'created').map(({ id }) => id));
  return outcomes.map((one) => (invented.has(one.id) ? { ...one, id: undefined } : one));
};
