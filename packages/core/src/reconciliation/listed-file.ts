import { importBytesMax } from '@leadback/domain';
import type { CsvColumns } from '../csv/header.ts';
import { readCsv } from '../csv/read-csv.ts';
import { itemOf } from '../imports/import-subject.ts';
import { listColumnNames, type ListedRow, listedRow } from './listed-conversion.ts';

/** The columns that a file of rows has beside those of the list. */
export const rowResultColumns = [
  'outcome',
  'conversionId',
  'registeredAmount',
  'registeredCurrency',
  'undelivered',
  'message',
] as const;

const columns: CsvColumns = {
  known: listColumnNames,
  required: ['conversionExternalReference', 'amount', 'currency'],
  ignored: rowResultColumns,
};

const limits = { bytesMax: importBytesMax, rowsMax: 500_000, rowsPerSlice: 1_000, bytesPerSlice: 2 ** 20 };

/** Reads a list in CSV. Throws a `CsvProblem` if the header is wrong, and at the first row that cannot be read. */
export async function* listedFile(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly ListedRow[]> {
  const { slices, ...file } = await readCsv(bytes, columns, limits);
  for await (const rows of slices) yield rows.map(({ cells }) => listedRow(itemOf(cells, file)));
}
