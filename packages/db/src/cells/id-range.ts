// JSON numbers are exact up to 9 × 10^15
const idsPerCell = 10 ** 12;

/** The highest number of a cell. */
export const cellNumberMax = 8_999;

/** The first and the last id of a cell. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** The ids of a cell, of all its tables. Cell 0 has the ids of an installation without cells. */
export const idRangeOf = (cell: number): IdRange => ({
  first: cell * idsPerCell + 1,
  last: (cell + 1) * idsPerCell - 1,
});

/** The cell that has exactly this range; undefined if there is none. */
export const cellWith = (first: bigint, last: bigint): number | undefined => {
  const cell = Number(first / BigInt(idsPerCell));
  const range = idRangeOf(cell);
  return first === BigInt(range.first) && last === BigInt(range.last) ? cell : undefined;
};
