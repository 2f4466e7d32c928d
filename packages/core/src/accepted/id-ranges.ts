/** `401-531, 540`: of ids in any order, each once. */
export const idRanges = (ids: Iterable<number>): string => {
  const ranges: { first: number; last: number }[] = [];
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range?.last === id - 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
};
