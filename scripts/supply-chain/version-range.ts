const partsOf = (version: string): readonly number[] => (version.split('-')[0] ?? '').split('.').map(Number);

/** Less than zero: `one` is older. A pre-release counts as its release. */
const compare = (one: string, other: string): number => {
  const [ours, theirs] = [partsOf(one), partsOf(other)];
  for (const place of [0, 1, 2]) {
    const difference = (ours[place] ?? 0) - (theirs[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

const meets = (version: string, comparator: string): boolean => {
  const [, sign = '', bound = ''] = /^(<=|>=|<|>|=)?(\d[\w.-]*)$/.exec(comparator) ?? [];
  if (bound === '') throw new Error(`cannot read the range ${comparator}`);
  const order = compare(version, bound);
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0;
  if (sign === '>') return order > 0;
  return sign === '>=' ? order >= 0 : order === 0;
};

/** Whether a version is in a range as advisories write it: `>=8.0.0 <8.17.1 || <7.5.10`. */
export const isInRange = (version: string, range: string): boolean =>
  range.split('||').some((part) =>
    part
      .trim()
      .replaceAll(/([<>=]) +/g, '$1')
      .split(/[\s,]+/)
      .every((comparator) => meets(version, comparator)),
  );
