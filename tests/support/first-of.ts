const hasAllFaults = process.env['FAULTS'] === 'all';

/** Variants of a fault: in `npm test` the first ones, in `npm run test:long` all. */
export const firstOf = <Variant>(count: number, variants: readonly Variant[]): readonly Variant[] =>
  hasAllFaults ? variants : variants.slice(0, count);

/** An amount that is enough to hit work in progress, which is what `npm test` needs, and the one of `npm run test:long`. */
export const enough = (few: number, many: number): number => (hasAllFaults ? many : few);
