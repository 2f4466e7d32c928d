// what spreadsheets take for the beginning of a formula, in every width
const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫';
// what some spreadsheet or import takes for the end of a cell or row; a file with commas may be read with any of them
const ends = ';,\\t|\\n\\r\\v\\f\\u0085\\u2028\\u2029';
// blanks, invisible characters and quotes, which are left out when a cell is read with the wrong delimiter
const skipped = `(?:(?![${ends}])[\\p{Z}\\p{C}\\p{Default_Ignorable_Code_Point}"])*`;
// the apostrophes (none or more) before a sign that would begin a cell; and before a tab or line break that begins one
const place = new RegExp(`(?<!')(?='*[${signs}])(?<=(?:^|[${ends}])${skipped})'*|^'*(?=[\\t\\n\\r])`, 'gu');

/**
 * A text with an apostrophe before each sign that would begin a formula in a spreadsheet, whichever delimiter it reads
 * the file with.
 */
export const asText = (cell: string): string => cell.replace(place, (apostrophes) => `'${apostrophes}`);

/** The text that was given to `asText`; of others, without an apostrophe that does the same. */
export const asTyped = (cell: string): string => cell.replace(place, (apostrophes) => apostrophes.slice(1));

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

type DecimalMark = '.' | ',';

const cellOf = (value: unknown, decimalMark: DecimalMark): string => {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'number') return String(value).replace('.', decimalMark);
  if (typeof value === 'boolean') return String(value);
  const text = value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : JSON.stringify(value);
  return `"${asText(text).replaceAll('"', '""')}"`;
};

/**
 * Rows as CSV: texts in quotes, and none that would be a formula in a spreadsheet, because what visitors and partners
 * send is untrusted. `asTyped` gives the texts back.
 */
export const csvRows = (
  rows: readonly (readonly unknown[])[],
  delimiter: Delimiter = ',',
  decimalMark: DecimalMark = '.',
): string => rows.map((row) => `${row.map((cell) => cellOf(cell, decimalMark)).join(delimiter)}\n`).join('');

/** A header and rows as CSV: see `csvRows`. */
export const csvTable = (columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string =>
  csvRows([columns, ...rows.map((row) => columns.map((name) => row[name]))]);
