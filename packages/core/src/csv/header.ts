import { parse as parseAtOnce } from 'csv-parse/sync';
import { type Delimiter, delimiters, nearestName } from '@leadback/domain';
import { type ExportShape, exportShapes, namesOfFields, plainName, plainNames } from './names.ts';
import { CsvProblem } from './text.ts';

/** The columns that a file may have. */
export interface CsvColumns {
  readonly known: readonly string[];
  readonly required: readonly string[];
  /** At least one of these is required. */
  readonly requiredAny?: readonly string[];
  /** Columns whose cells are not read, such as those of a result file that is sent again. */
  readonly ignored?: readonly string[];
}

/** What a person chose of a header, over what its names say. */
export interface HeaderChoices {
  /** Our field of a column; `null`: none. */
  readonly columns?: Readonly<Record<string, string | null>> | undefined;
  /** The line of the header. */
  readonly headerLine?: number | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** Of all rows, if the file has no column of it. */
  readonly currency?: string | undefined;
}

export interface Match {
  /** As they are written. */
  readonly names: readonly string[];
  /** Our field of each column; undefined: it is not read. */
  readonly fields: readonly (string | undefined)[];
  readonly shape: ExportShape | undefined;
}

const shapeOf = (plain: readonly (readonly string[])[]): ExportShape | undefined => {
  const all = new Set(plain.flat());
  return exportShapes.find(({ signature }) => signature.every((names) => names.some((name) => all.has(name))));
};

/** Which column is which of our fields: by choice, by the name of the field, by the shape of a known export, or by what people call it. */
export const matchColumns = (
  names: readonly string[],
  { known, ignored = [] }: CsvColumns,
  { columns: chosen = {} }: HeaderChoices = {},
): Match => {
  const plain = names.map(plainNames);
  // nobody else writes names such as leadReference
  const isOurs = known.some((field) => /[A-Z]/.test(field) && names.includes(field));
  const shape = isOurs ? undefined : shapeOf(plain);
  const fields = names.map((name) => (known.includes(name) ? name : undefined));
  const isFree = (index: number) => {
    const name = names[index] ?? '';
    const isSkipped = isOurs && ignored.includes(name);
    return fields[index] === undefined && !isSkipped && !Object.hasOwn(chosen, name);
  };
  if (shape) fields.fill(undefined);
  for (const [index, name] of names.entries()) {
    const field = chosen[name];
    if (field === undefined) continue;
    for (const [at, same] of fields.entries()) if (same === field) fields[at] = undefined;
    fields[index] = field !== null && known.includes(field) ? field : undefined;
  }
  for (const field of known) {
    if (fields.includes(field)) continue;
    // a known export has other columns of these names: `Name` of Shopify is the order's
    const candidates = shape ? (shape.fields[field] ?? []) : [plainName(field), ...(namesOfFields[field] ?? [])];
    for (const candidate of candidates) {
      const index = plain.findIndex((own, at) => own.includes(candidate) && isFree(at));
      if (index === -1) continue;
      fields[index] = field;
      break;
    }
  }
  return { names, fields, shape };
};

const countOf = ({ fields }: Match) => fields.filter((field) => field !== undefined).length;

// a file without a header has personal data where the names are expected
const looksLikeName = /^[\p{L}][\p{L}\p{N}_ #().:/-]{0,59}$/u;

/** A column as it may be shown. */
export const shownColumn = (name: string, place: number): string =>
  looksLikeName.test(name) ? name : `column ${place}`;

const unknownNamedMax = 3;

const unknownProblem = (name: string, place: number, known: readonly string[]): string => {
  const shown = looksLikeName.test(name) ? `column ${place} ("${name}")` : `column ${place}`;
  if (name === '') return `${shown} has no name; name it or delete it`;
  const nearest = nearestName(name, known);
  return nearest === undefined ? `${shown} is unknown` : `${shown} is unknown; did you mean "${nearest}"?`;
};

const unknownProblems = ({ names, fields }: Match, { known, ignored = [] }: CsvColumns): string[] => {
  const unknown = [...names.entries()].filter(
    ([index, name]) => fields[index] === undefined && !ignored.includes(name),
  );
  const named = unknown.slice(0, unknownNamedMax).map(([index, name]) => unknownProblem(name, index + 1, known));
  const more = unknown.length - named.length;
  return more > 0 ? [...named, `${more} more unknown`] : named;
};

/** Fields that a file lacks; of several that are as good, all. */
export const missingFields = (
  { fields }: Match,
  { required, requiredAny = [] }: CsvColumns,
  { currency }: HeaderChoices,
): string[] => [
  ...required.filter((name) => !fields.includes(name) && !(name === 'currency' && currency !== undefined)),
  ...(requiredAny.some((name) => fields.includes(name)) ? [] : requiredAny),
];

/** Throws a `CsvProblem` that names the repeated or missing columns, and then the unknown ones, the first of them. */
export const requireColumns = ({ line, ...match }: Header, columns: CsvColumns, { currency }: HeaderChoices): void => {
  const { known, required, requiredAny = [], ignored = [] } = columns;
  const { names, fields } = match;
  const repeated = [...known, ...ignored]
    .filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
    .map((name) => `column "${name}" occurs twice`);
  const missing = required
    .filter((name) => !fields.includes(name) && !(name === 'currency' && currency !== undefined))
    .map((name) => `column "${name}" is missing`);
  if (requiredAny.length > 0 && !requiredAny.some((name) => fields.includes(name))) {
    missing.push(`column ${requiredAny.map((name) => `"${name}"`).join(' or ')} is missing`);
  }
  if (repeated.length + missing.length === 0) return;
  const unknown = missing.length > 0 ? unknownProblems(match, columns) : [];
  const problems = [...unknown, ...repeated, ...missing];
  if (unknown.length > 0) problems.push(`known columns: ${known.join(', ')}`);
  throw new CsvProblem(line, problems.join('; '));
};

export interface Header extends Match {
  readonly line: number;
}

const headerRowsMax = 40;
export const headerBytesMax = 16 * 1024;

interface Candidate {
  readonly line: number;
  readonly names: readonly string[];
}

const isEmpty = ({ names }: Candidate) => names.every((name) => name === '');

/** The header among the first rows: the one in which most columns are known; else the first that is not empty. */
const chooseHeader = (
  candidates: readonly Candidate[],
  columns: CsvColumns,
  choices: HeaderChoices,
): { readonly header: Header; readonly known: number } | undefined => {
  const { headerLine } = choices;
  let best: { header: Header; known: number } | undefined;
  for (const candidate of candidates) {
    if (isEmpty(candidate) || (headerLine !== undefined && candidate.line !== headerLine)) continue;
    const header = { line: candidate.line, ...matchColumns(candidate.names, columns, choices) };
    const known = countOf(header);
    if (best === undefined || known > best.known) best = { header, known };
  }
  return best;
};

const noHeader = (line: number, { known }: CsvColumns) =>
  new CsvProblem(line, `expected a header with the columns ${known.join(', ')}`);

const namesIn = (line: string, delimiter: Delimiter): readonly string[] | undefined => {
  try {
    const [names = []] = parseAtOnce(line, { delimiter });
    return names.map((name) => name.trim());
  } catch {
    return undefined;
  }
};

const lineEnd = /\r\n|\n|\r/g;

interface Line {
  readonly number: number;
  /** Where it begins in the text. */
  readonly at: number;
  readonly text: string;
}

/** The first lines of a text. */
const linesOf = (text: string): readonly Line[] => {
  const lines: Line[] = [];
  let at = 0;
  for (const end of text.matchAll(lineEnd)) {
    lines.push({ number: lines.length + 1, at, text: text.slice(at, end.index) });
    at = end.index + end[0].length;
    if (lines.length > headerRowsMax) return lines;
  }
  return [...lines, { number: lines.length + 1, at, text: text.slice(at) }];
};

const textMax = 64 * 1024;

/** Whether a text has all lines in which the header is looked for: one alone, if it has the names of fields and nothing else. */
export const hasHeaderLines = (text: string, { known, ignored = [] }: CsvColumns): boolean => {
  if (text.length > textMax) return true;
  const lines = linesOf(text);
  if (lines.length > headerRowsMax) return true;
  const [first, ...others] = lines;
  const isOurs = (name: string) => known.includes(name) || ignored.includes(name);
  return (
    others.length > 0 &&
    delimiters.some((one) => {
      const names = namesIn(first?.text ?? '', one) ?? [];
      return names.length > 1 && names.every(isOurs);
    })
  );
};

const separatorLine = /^"?sep=(.)"?$/i;

export interface TextHeader extends Header {
  readonly delimiter: Delimiter;
  /** Where its line begins in the text. */
  readonly at: number;
  /** What a line above it says of the zone, as in templates of Google. */
  readonly timeZone: string | undefined;
}

/** The header and the delimiter at the beginning of a text. Throws a `CsvProblem` if there is none. */
export const headerOfText = (text: string, columns: CsvColumns, choices: HeaderChoices): TextHeader => {
  const all = linesOf(text);
  const said = separatorLine.exec(all[0]?.text.trim() ?? '')?.[1];
  const named = delimiters.find((one) => one === (choices.delimiter ?? said));
  const lines = (said === undefined ? all : all.slice(1))
    .slice(0, headerRowsMax)
    .filter((line) => line.text.length <= headerBytesMax);
  let best: { header: Header; known: number; delimiter: Delimiter; cells: number } | undefined;
  for (const delimiter of named === undefined ? delimiters : [named]) {
    const candidates = lines.flatMap(({ number, text: line }) => {
      const names = line.trim() === '' ? undefined : namesIn(line, delimiter);
      return names ? [{ line: number, names }] : [];
    });
    const found = chooseHeader(candidates, columns, choices);
    if (!found) continue;
    const cells = found.header.names.length;
    const isBetter =
      best === undefined || found.known > best.known || (found.known === best.known && cells > best.cells);
    if (isBetter) best = { ...found, delimiter, cells };
  }
  const firstLine = lines.find((line) => line.text.trim() !== '');
  const isBroken = firstLine !== undefined && delimiters.every((one) => namesIn(firstLine.text, one) === undefined);
  if (!best || (best.known === 0 && isBroken)) {
    if (firstLine === undefined) throw noHeader(1, columns);
    throw new CsvProblem(
      firstLine.number,
      'the header is not valid CSV; a quote is not closed or stands inside a name',
    );
  }
  const { header, delimiter } = best;
  const above = lines.filter(({ number }) => number < header.line).map((line) => line.text);
  const timeZone = above.flatMap((line) => /\bTimeZone=([\w/+-]+)/i.exec(line)?.[1] ?? []).at(0);
  return { ...header, delimiter, at: all.find(({ number }) => number === header.line)?.at ?? 0, timeZone };
};
