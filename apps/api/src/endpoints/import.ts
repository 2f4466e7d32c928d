import { delimiters, platformNames, Refusal } from '@leadback/domain';
import { findImport, type ImportRecord, importResult } from '@leadback/core/imports/read';
import { storeImport } from '@leadback/core/imports/store';
import { describePreview, previewFile } from '@leadback/core/imports/preview';
import { choicesTextSchema, fileQuestions } from '@leadback/core/imports/reading';
import { CsvProblem } from '@leadback/core/csv/read';
import { knownExports } from '@leadback/core/csv/names';
import { encodings } from '@leadback/core/csv/text';
import { z } from 'zod';
import {
  csvBody,
  csvBytes,
  endpointWithParameters,
  nothing,
  addToRequestLog,
  endpoint,
  csvParts,
} from '@leadback/server/http';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { dryRunParameter } from './batch.ts';
import { recordId } from './parameters.ts';

const time = z.iso.datetime();

const importSubject = z.enum(['client', 'conversion'], 'expected client or conversion');

const importState = z.enum(['pending', 'running', 'done', 'refused', 'failed']).meta({
  description:
    '`pending`: stored, not begun. `running`: rows are being registered. `done`: every row has an outcome. `refused`: the file cannot be read, see `message`; nothing of it was registered. `failed`: the next rows failed again and again; rows with an outcome keep it, send the result file again for the others.',
});

const importBody = z
  .object({
    id: z.int(),
    of: importSubject,
    dryRun: z.boolean(),
    state: importState,
    rows: z.int().meta({ description: 'Rows of the file, without the header.' }),
    done: z.int().meta({ description: 'Rows that have an outcome.' }),
    counts: z.record(z.string(), z.int()).meta({
      description:
        'Rows by outcome. Clients: `created`, `existing` or `refused`. Conversions: `created`, `repeated`, `differs`, `not_from_an_ad` (no client has its reference or email) or `refused`; of an export also `not_paid`. The result file has the outcome of each row.',
    }),
    tooOld: z.partialRecord(z.enum(platformNames), z.int()).optional().meta({
      description:
        'Of a dry run of conversions: how many of the created ones each platform of your account skips because they occurred too long ago. The result file says which.',
    }),
    emailReferences: z.int().meta({
      description:
        'Rows so far with a reference that is an email. More people see references than emails: send an id of yours instead.',
    }),
    message: z.string().optional().meta({ description: 'Why the file was refused, with the line, or has failed.' }),
    createdAt: time,
    finishedAt: time
      .nullable()
      .meta({ description: 'When every row had an outcome, or nothing of a refused file was left.' }),
  })
  .meta({ id: 'Import' });

const none = {
  client: { created: 0, existing: 0, refused: 0 },
  conversion: { created: 0, repeated: 0, differs: 0, not_from_an_ad: 0, refused: 0 },
} as const;

/** A file that is still arriving is not begun either. */
const stateOf = ({ state }: ImportRecord) => (state === 'uploading' ? 'pending' : state);

const importView = (found: ImportRecord): z.infer<typeof importBody> => ({
  id: found.id,
  of: found.of,
  dryRun: found.isDryRun,
  state: stateOf(found),
  rows: found.rows,
  done: found.done,
  counts: { ...none[found.of], ...found.counts },
  ...(found.isDryRun && found.of === 'conversion' && { tooOld: found.tooOld }),
  emailReferences: found.emailReferences,
  ...(found.message !== null && { message: found.message }),
  createdAt: found.createdAt.toISOString(),
  finishedAt: found.finishedAt?.toISOString() ?? null,
});

const choices = choicesTextSchema.optional().meta({
  param: {
    description:
      'How to read the file, as JSON, instead of what is found in it. `columns` has the field of each column that you choose, or null. The others are `decimalMark` (`.` or `,`), `dateOrder` (`dmy` or `mdy`), `timeZone`, `currency`, `delimiter`, `headerLine`, `encoding`, and `sheet`, the name of one in a workbook. Kept for your next files with the same header, but the sheet.',
    example: '{"columns":{"Neto":"amount"},"dateOrder":"dmy","timeZone":"America/Argentina/Buenos_Aires"}',
  },
  override: { type: 'string' },
});

const preview = z
  .object({
    encoding: z.enum(encodings).nullable().meta({ description: 'null: the file is a workbook.' }),
    delimiter: z.enum(delimiters).nullable().meta({ description: 'null: the file is a workbook.' }),
    sheet: z.string().nullable().meta({ description: 'Of a workbook: the sheet that is read.' }),
    sheets: z
      .array(z.string())
      .meta({ description: 'Of a workbook: the sheets that are shown, any of which can be chosen.' }),
    headerLine: z.int(),
    export: z.enum(knownExports).nullable().meta({ description: 'Whose export it was recognised as.' }),
    columns: z
      .array(z.object({ name: z.string(), field: z.string().nullable() }))
      .meta({ description: 'The columns of the file, each with the field that it is read as; null: it is not read.' }),
    decimalMark: z.enum(['.', ',']).nullable(),
    dateOrder: z.enum(['dmy', 'mdy']).nullable(),
    timeZone: z.string().nullable(),
    currency: z.string().nullable().meta({ description: 'Of all rows, as chosen.' }),
    missing: z.array(z.string()).meta({ description: 'Fields that no column has, without which the file is refused.' }),
    questions: z.array(z.enum(fileQuestions)).meta({
      description: 'What has two meanings. Rows with such a cell are refused, unless you choose.',
    }),
    proposed: z
      .object({ timeZone: z.string(), currency: z.string() })
      .meta({ description: 'The time zone and the first currency of your account.' }),
    remembered: z.boolean().meta({ description: 'Whether these are the choices of an earlier file.' }),
    rows: z.int(),
    notPaid: z.int().meta({ description: 'Orders of an export that are not paid.' }),
    samples: z
      .array(
        z.object({
          line: z.int(),
          fields: z.record(z.string(), z.union([z.string(), z.number()])),
          message: z.string().optional(),
          isPaid: z.boolean(),
        }),
      )
      .meta({ description: 'The first ten rows as they will be read. `message`: why one will be refused.' }),
  })
  .meta({ id: 'ImportPreview' });

const example = `conversionExternalReference,clientExternalReference,amount,currency
order-8731,customer-1042,149.90,USD
order-8732,customer-1043,80.00,USD
`;

/** Reads a file in the body of a request. One that cannot be read is invalid, as a field is. */
export const readingBody = async <Result>(read: () => Promise<Result>): Promise<Result> => {
  try {
    return await read();
  } catch (error) {
    throw error instanceof CsvProblem ? new Refusal('invalid-fields', { message: `body: ${error.message}` }) : error;
  }
};

export const createImport = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/import',
  subject: 'Imports',
  summary: 'Import a CSV file',
  description:
    'Stores a file of clients or conversions, up to 50 MiB and 500,000 rows. Its rows are registered in the background, in their order. Encoding, delimiter, header row and columns are found, also in exports of shops and ad platforms. The body may be an Excel workbook (.xlsx) of up to 20 MiB instead. The first sheet that has the columns is read, or the one that you choose. An empty cell counts as not sent. A header with a missing or repeated column gets `400` and stores nothing. Conversions need `conversionExternalReference`, so a file that is sent again registers nothing twice.',
  parameters: z.object({
    of: importSubject.meta({ param: { description: 'What each row is.', example: 'conversion' } }),
    dryRun: dryRunParameter('`true` finds the outcome of each row and registers nothing.'),
    choices,
  }),
  body: csvBody,
  input: csvBytes,
  examples: { Conversions: example },
  headers: nothing,
  replies: {
    202: {
      description: 'The file is stored or, if a row cannot be read, refused.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the import.' }),
        state: importState,
        message: z.string().optional().meta({ description: 'Why the file was refused, with the line.' }),
      }),
      example: { id: 3, state: 'pending' },
    },
  },
  async handle({ input, parameters, response }, { pool }) {
    const { of: subject, dryRun: isDryRun, choices: chosen } = parameters;
    const about = { ...modeOf(response), subject, isDryRun, choices: chosen };
    const { id, problem } = await readingBody(() => storeImport(pool, about, input));
    addToRequestLog(response, { importId: id });
    const state = problem === undefined ? 'pending' : 'refused';
    return { status: 202, body: { id, state, ...(problem !== undefined && { message: problem }) } } as const;
  },
});

export const previewImport = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/import/preview',
  subject: 'Imports',
  summary: 'See how a file will be read',
  description:
    'Reads a whole file and stores nothing. Returns what was found in it, what it leaves open, and its first ten rows. Correct it with `choices`, then send the file to `/import` with the same ones.',
  parameters: z.object({
    of: importSubject.meta({ param: { description: 'What each row is.', example: 'conversion' } }),
    choices,
  }),
  body: csvBody,
  input: csvBytes,
  examples: { Conversions: example },
  headers: nothing,
  replies: {
    200: {
      description: 'How the file will be read.',
      body: preview,
      example: {
        encoding: 'utf-8',
        delimiter: ',',
        sheet: null,
        sheets: [],
        headerLine: 1,
        export: null,
        columns: [
          { name: 'Order ID', field: 'conversionExternalReference' },
          { name: 'Importe', field: 'amount' },
          { name: 'SKU', field: null },
        ],
        decimalMark: ',',
        dateOrder: null,
        timeZone: null,
        currency: 'ARS',
        missing: [],
        questions: ['timeZone'],
        proposed: { timeZone: 'America/Argentina/Buenos_Aires', currency: 'ARS' },
        remembered: false,
        rows: 1,
        notPaid: 0,
        samples: [
          {
            line: 2,
            fields: { conversionExternalReference: 'order-8731', amount: 15_000, currency: 'ARS' },
            isPaid: true,
          },
        ],
      },
    },
  },
  async handle({ input, parameters: { of: subject, choices: chosen = {} }, response }, { pool }) {
    const { accountId } = modeOf(response);
    const found = await readingBody(() => previewFile(pool, { accountId, subject, choices: chosen }, input));
    const { isRemembered, choices: _, samples, ...same } = describePreview(found);
    const rows = samples.map(({ message, ...row }) => ({ ...row, ...(message !== null && { message }) }));
    return { status: 200, body: { ...same, remembered: isRemembered, samples: rows } } as const;
  },
});

export const readImport = endpoint<ApiContext>()({
  method: 'get',
  path: '/import/:id',
  subject: 'Imports',
  summary: 'Read the progress of an import',
  description: 'Returns how far an import is, and its rows by outcome so far.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The import.',
      body: importBody,
      example: {
        id: 3,
        of: 'conversion',
        dryRun: false,
        state: 'done',
        rows: 2,
        done: 2,
        counts: { created: 1, repeated: 1, differs: 0, not_from_an_ad: 0, refused: 0 },
        emailReferences: 0,
        createdAt: '2026-11-21T12:00:00.000Z',
        finishedAt: '2026-11-21T12:00:01.000Z',
      },
    },
  },
  refusals: ['not-found.import'],
  async handle({ input, response }, { pool }) {
    const found = await findImport(pool, modeOf(response), input.id);
    if (!found) throw new Refusal('not-found.import');
    return { status: 200, body: importView(found) };
  },
});

const resultExample = `"conversionExternalReference","clientExternalReference","amount","currency","outcome","id","message"
"order-8731","customer-1042","149.90","USD","created",31,
"order-8732","customer-1043","80.00","USD","not_from_an_ad",,"no client matches clientExternalReference or email"
`;

export const readImportResult = endpoint<ApiContext>()({
  method: 'get',
  path: '/import/:id/result.csv',
  subject: 'Imports',
  summary: 'Read the outcome of each row of an import',
  description:
    'Returns the rows as sent, each with its outcome so far, the id of the client or conversion, and the reason if it was refused. Texts are in quotes, and an apostrophe stands before each sign that a spreadsheet would read as the beginning of a formula. The file can be corrected and sent again: of these three columns, only the outcome and id of clients are read then.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: { 200: { description: 'The rows.', mediaType: 'text/csv', body: csvParts, example: resultExample } },
  refusals: ['not-found.import'],
  async handle({ input, response }, { pool }) {
    const found = await findImport(pool, modeOf(response), input.id);
    if (!found) throw new Refusal('not-found.import');
    const headers = { 'Content-Disposition': `attachment; filename="import-${found.id}-result.csv"` };
    return { status: 200, headers, body: importResult(pool, found) };
  },
});
