/** Variants of a fault: in `npm test` the first ones, in `npm run faults` all. */
export const firstOf = <Variant>(count: number, variants: readonly Variant[]): readonly Variant[] =>
  process.env['FAULTS'] === 'all' ? variants : variants.slice(0, count);
