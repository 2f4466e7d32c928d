// what spreadsheets take for the beginning of a formula, in both widths
const start = '=+\\-@\\t\\r＝＋－＠';
const isFormula = new RegExp(`^[${start}]`);
const isMarked = new RegExp(`^'[${start}]`);

/** A cell with an apostrophe if it would be a formula, so that spreadsheets show it as text. */
export const asText = (cell: string): string => (isFormula.test(cell) ? `'${cell}` : cell);

/** The cell without the apostrophe of `asText`. */
export const asTyped = (cell: string): string => (isMarked.test(cell) ? cell.slice(1) : cell);
