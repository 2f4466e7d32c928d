import { parse } from 'csv-parse/sync';
import { type Delimiter, nearestName } from '@leadback/domain';
import { CsvProblem } from './csv-problem.ts';

/** The columns that a file may have. */
export interface CsvColumns {
  readonly known: readonly string[];
  readonly required: readonly string[];
  /** At least one of these is required. */
  readonly requiredAny?: readonly string[];
  /** Columns whose cells are not read, such as those of a result file that is sent again. */
  readonly ignored?: readonly string[];
}

const headerLine = 1;
const unknownNamedMax = 3;
const countOf = (text: string, delimiter: Delimiter) => text.split(delimiter).length;

/** The delimiter of a header: no name of a column contains either one. */
export const delimiterOf = (header: string): Delimiter => (countOf(header, ';') > countOf(header, ',') ? ';' : ',');

const namesIn = (header: string, delimiter: Delimiter): string[] => {
  try {
    const [names = []] = parse(header, { delimiter });
    return names.map((name) => name.trim());
  } catch {
    throw new CsvProblem(headerLine, 'the header is not valid CSV; a quote is not closed or stands inside a name');
  }
};

// a file without a header has personal data where the names are expected
const looksLikeName = /^[A-Za-z][\w -]{0,39}$/;

const unknownProblem = (name: string, place: number, known: readonly string[]): string => {
  const shown = looksLikeName.test(name) ? `column ${place} ("${name}")` : `column ${place}`;
  if (name === '') return `${shown} has no name; name it or delete it`;
  const nearest = nearestName(name, known);
  return nearest === undefined ? `${shown} is unknown` : `${shown} is unknown; did you mean "${nearest}"?`;
};

const unknownProblems = (names: readonly string[], { known, ignored = [] }: CsvColumns): string[] => {
  const unknown = [...names.entries()].filter(([, name]) => !known.includes(name) && !ignored.includes(name));
  const named = unknown.slice(0, unknownNamedMax).map(([index, name]) => unknownProblem(name, index + 1, known));
  const more = unknown.length - named.length;
  return more > 0 ? [...named, `${more} more unknown`] : named;
};

/** Throws a `CsvProblem` that names the unknown (the first ones), repeated or missing columns. */
export const readHeader = (header: string, delimiter: Delimiter, columns: CsvColumns): readonly string[] => {
  const { known, required, requiredAny = [], ignored = [] } = columns;
  if (header.trim() === '') throw new CsvProblem(headerLine, `expected a header with the columns ${known.join(', ')}`);
  const names = namesIn(header, delimiter);
  const unknown = unknownProblems(names, columns);
  const repeated = [...known, ...ignored]
    .filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
    .map((name) => `column "${name}" occurs twice`);
  const missing = required.filter((name) => !names.includes(name)).map((name) => `column "${name}" is missing`);
  if (requiredAny.length > 0 && !requiredAny.some((name) => names.includes(name))) {
    missing.push(`column ${requiredAny.map((name) => `"${name}"`).join(' or ')} is missing`);
  }
  const problems = [...unknown, ...repeated, ...missing];
  if (unknown.length > 0) problems.push(`known columns: ${known.join(', ')}`);
  if (problems.length > 0) throw new CsvProblem(headerLine, problems.join('; '));
  return names;
};
