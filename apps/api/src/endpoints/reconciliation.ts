import { setTimeout as pause } from 'node:timers/promises';
import {
  dayOrTimeSchema,
  isEmptyRange,
  Refusal,
  platformNames,
  type ReconciliationMeasure,
  reconciliationMeasures,
  reconciliationOutcomes,
  type AccountMode,
  replayableOutcomes,
} from '@leadback/domain';
import {
  endpointWithParameters,
  listBody,
  listInput,
  listItemsMax,
  nothing,
  addToRequestLog,
  endpoint,
  csvParts,
} from '@leadback/server/http';
import {
  listedConversionSchema,
  listedItems,
  refuseUnknownFields,
  listedFile,
  storeList,
} from '@leadback/core/reconciliation/create';
import {
  findReconciliation,
  reconciliationFile,
  type ReconciliationRecord,
  type ReconciliationRowRecord,
  readReconciliationRows as readRows,
} from '@leadback/core/reconciliation/read';
import { startReplay } from '@leadback/core/reconciliation/replay';
import { choicesTextSchema } from '@leadback/core/imports/reading';
import { z } from 'zod';
import { modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { reconcile } from '../jobs.ts';
import { readingBody } from './import.ts';
import { recordId, optionalQuery } from './parameters.ts';

const parameters = z
  .object({
    from: dayOrTimeSchema.meta({
      param: {
        description: 'First day of the list, in the time zone of your account, or the time at which it begins.',
        example: '2026-10-01',
      },
    }),
    to: dayOrTimeSchema.meta({
      param: {
        description: 'Last day of the list, in the time zone of your account, or the time at which it ends.',
        example: '2026-10-31',
      },
    }),
    choices: choicesTextSchema.optional().meta({
      param: {
        description: 'How to read a file, as for `POST /import`. They are not kept.',
        example: '{"timeZone":"America/Bogota"}',
      },
      override: { type: 'string' },
    }),
  })
  .refine((range) => !isEmptyRange(range), { path: ['from'], message: 'must be before to' });

export const createReconciliation = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/reconciliation',
  subject: 'Reconciliation',
  summary: 'Compare your list of sales with ours',
  description:
    'Takes your list of the sales of a range of time, and compares it with the registered conversions in the background. It is JSON (up to 1 MiB and 10,000 items), CSV (50 MiB) or an Excel workbook (20 MiB), with up to 500,000 rows. A file is read as by `POST /import`. One that cannot be read gets `400` with the line, and nothing is stored; a row with an invalid field is `refused`. Only conversions of the range are reported as `extra`; a sale of the list is found whenever it occurred.',
  parameters,
  body: listBody,
  input: listInput,
  documented: z.object({
    items: z.array(listedConversionSchema).max(listItemsMax).meta({ description: 'Your sales.' }),
  }),
  examples: {
    'Two sales': {
      items: [
        { conversionExternalReference: 'order-8731', amount: 149.9, currency: 'USD' },
        {
          conversionExternalReference: 'order-8732',
          amount: 80,
          currency: 'USD',
          clientExternalReference: 'customer-1042',
          occurredAt: '2026-10-31T18:20:00-03:00',
        },
      ],
    },
    'The same as a file': `conversionExternalReference,amount,currency,clientExternalReference,occurredAt
order-8731,149.90,USD,,
order-8732,80.00,USD,customer-1042,2026-10-31T18:20:00-03:00
`,
  },
  headers: nothing,
  replies: {
    202: {
      description: 'The list is stored and will be compared.',
      body: z.object({
        id: z.int().meta({ description: 'The id of the reconciliation.' }),
        state: z.literal('pending'),
      }),
      example: { id: 4, state: 'pending' },
    },
  },
  refusals: ['rate-limited.lists'],
  async handle({ input, parameters: { choices, ...range }, response }, { pool, contacts }) {
    const mode = modeOf(response);
    if (mode.isTest && 'items' in input) refuseUnknownFields(input.items);
    const rows = 'file' in input ? listedFile(input.file, choices) : listedItems(input.items);
    const id = await readingBody(() => storeList(pool, contacts, { ...mode, range, rows }));
    addToRequestLog(response, { reconciliationId: id });
    return { status: 202, body: { id, state: 'pending' } } as const;
  },
});

const time = z.iso.datetime();

const counts = z.object({
  matched: z.int(),
  amountDiffers: z.int(),
  currencyDiffers: z.int(),
  duplicateInList: z.int().meta({ description: 'An earlier row of the list has the same reference.' }),
  missing: z.int().meta({ description: 'Not registered, but the client is known: `replay` registers them.' }),
  missingWithoutClient: z.int().meta({ description: 'Not registered, and no client matches the row.' }),
  extra: z.int().meta({ description: 'Conversions of the range that are not in the list and not retracted.' }),
  undelivered: z.int().meta({ description: 'Of the matched ones: not delivered to at least one platform.' }),
  refused: z.int().meta({ description: 'A field of the row is invalid; `message` of the row names it.' }),
} satisfies Readonly<Record<ReconciliationMeasure, z.ZodType>>);

const failure = 'internal error; give support the id of the reconciliation';
const message = z.string().optional();

const replayBody = z
  .object({
    state: z.enum(['running', 'done', 'failed']).meta({
      description: '`failed`: the next rows failed again and again; `counts` says what is done. It may be repeated.',
    }),
    dryRun: z.boolean(),
    counts: z.object({ created: z.int(), repeated: z.int(), differs: z.int(), refused: z.int() }).meta({
      description:
        'Rows so far. `repeated` and `differs`: registered since the comparison, alike or with another amount, currency or client.',
    }),
    tooOld: z.partialRecord(z.enum(platformNames), z.int()).meta({
      description:
        'Of the created ones: how many each platform of your account skips because they occurred too long ago.',
    }),
    withoutOccurredAt: z
      .int()
      .meta({ description: 'Of the created ones: without `occurredAt` in the list, so they count as of now.' }),
    message: message.meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'Replay' });

const reconciliationBody = z
  .object({
    id: z.int(),
    state: z.enum(['pending', 'running', 'done', 'failed']).meta({
      description: '`failed`: the next rows failed again and again; `counts` says what is done. Send the list again.',
    }),
    from: time,
    until: time.meta({ description: 'Not in the range.' }),
    rows: z.int().meta({ description: 'Rows of the list.' }),
    done: z.int().meta({ description: 'Rows of the list that have been compared.' }),
    counts,
    replay: replayBody.nullable().meta({ description: 'The last replay; `null` if there was none.' }),
    message: message.meta({ description: 'Why it failed.' }),
    createdAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Reconciliation' });

type Replay = NonNullable<ReconciliationRecord['replay']>;

const replayView = ({ state, isDryRun, counts: so, tooOld, withoutTime }: Replay): z.infer<typeof replayBody> => ({
  state,
  dryRun: isDryRun,
  counts: so,
  tooOld,
  withoutOccurredAt: withoutTime,
  ...(state === 'failed' && { message: failure }),
});

const reconciliationView = (found: ReconciliationRecord): z.infer<typeof reconciliationBody> => ({
  id: found.id,
  state: found.state,
  rows: found.rows,
  done: found.done,
  counts: found.counts,
  from: found.from.toISOString(),
  until: found.until.toISOString(),
  replay: found.replay && replayView(found.replay),
  ...(found.state === 'failed' && { message: failure }),
  createdAt: found.createdAt.toISOString(),
  finishedAt: found.finishedAt?.toISOString() ?? null,
});

const exampleReplay = {
  state: 'done',
  dryRun: true,
  counts: { created: 3, repeated: 0, differs: 0, refused: 0 },
  tooOld: { meta: 2, google: 0 },
  withoutOccurredAt: 0,
} as const;

export const readReconciliation = endpoint<ApiContext>()({
  method: 'get',
  path: '/reconciliation/:id',
  subject: 'Reconciliation',
  summary: 'Read the result of a reconciliation',
  description:
    'Returns how many rows have each outcome. Each row of the list has one outcome; `undelivered` counts rows that are `matched` as well. Poll until `state` is `done`.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The reconciliation.',
      body: reconciliationBody,
      example: {
        id: 4,
        state: 'done',
        from: '2026-10-01T00:00:00.000Z',
        until: '2026-11-01T00:00:00.000Z',
        rows: 1204,
        done: 1204,
        counts: {
          matched: 1190,
          amountDiffers: 5,
          currencyDiffers: 0,
          duplicateInList: 1,
          missing: 3,
          missingWithoutClient: 5,
          extra: 2,
          undelivered: 11,
          refused: 0,
        },
        replay: null,
        createdAt: '2026-11-02T09:00:00.000Z',
        finishedAt: '2026-11-02T09:00:01.000Z',
      },
    },
  },
  refusals: ['not-found.reconciliation'],
  async handle({ input, response }, { pool }) {
    const found = await findReconciliation(pool, modeOf(response), input.id);
    if (!found) throw new Refusal('not-found.reconciliation');
    return { status: 200, body: reconciliationView(found) };
  },
});

const rowsMax = 200;

const row = z.object({
  number: z.int().meta({ description: 'Place in the list; conversions that are not in the list follow.' }),
  outcome: z.enum(reconciliationOutcomes).nullable().meta({ description: '`null`: not compared yet.' }),
  conversionExternalReference: z.string().nullable(),
  amount: z.number().nullable().meta({ description: 'By your list; of an `extra` row, as registered.' }),
  currency: z.string().nullable(),
  clientExternalReference: z.string().nullable(),
  email: z.string().nullable().meta({ description: 'In lower case. Both are `null` if the person was erased.' }),
  occurredAt: z.iso.datetime().nullable(),
  conversionId: z.int().nullable(),
  registeredAmount: z.number().nullable().meta({ description: 'Of the registered conversion, now.' }),
  registeredCurrency: z.string().nullable(),
  undelivered: z.array(z.enum(platformNames)).meta({
    description: 'Platforms to which the matched conversion was not delivered when it was compared.',
  }),
  message: z.string().nullable().meta({ description: 'Why the row is refused, or was not registered by a replay.' }),
});

const numberOrNull = (amount: string | null) => (amount === null ? null : Number(amount));

const view = ({ amount, registeredAmount, occurredAt, ...same }: ReconciliationRowRecord): z.infer<typeof row> => ({
  ...same,
  amount: numberOrNull(amount),
  registeredAmount: numberOrNull(registeredAmount),
  occurredAt: occurredAt?.toISOString() ?? null,
  undelivered: [...same.undelivered],
});

const outcomeParameter = optionalQuery(
  z.enum(reconciliationMeasures, `expected ${reconciliationMeasures.join(', ')}`),
).meta({ param: { description: 'Only rows with this outcome. Default: all rows.', example: 'missing' } });

export const readReconciliationRows = endpoint<ApiContext>()({
  method: 'get',
  path: '/reconciliation/:id/rows',
  subject: 'Reconciliation',
  summary: 'Read the rows of a reconciliation',
  description: `Returns up to ${rowsMax} rows in the order of the list. Pass \`next\` as \`after\` to read the next page; \`null\`: there is none.`,
  input: z.object({
    id: recordId,
    outcome: outcomeParameter,
    after: optionalQuery(
      z
        .string()
        .regex(/^\d{1,9}$/, 'expected the value of next')
        .transform(Number),
    ).meta({ param: { description: 'The `next` of the page before.', example: '200' } }),
  }),
  headers: nothing,
  replies: {
    200: {
      description: 'A page of rows.',
      body: z.object({ items: z.array(row), next: z.string().nullable() }),
      example: {
        items: [
          {
            number: 17,
            outcome: 'amountDiffers',
            conversionExternalReference: 'order-8731',
            amount: 149.9,
            currency: 'USD',
            clientExternalReference: 'customer-1042',
            email: null,
            occurredAt: '2026-10-03T12:00:00.000Z',
            conversionId: 31,
            registeredAmount: 139.9,
            registeredCurrency: 'USD',
            undelivered: [],
            message: null,
          },
        ],
        next: null,
      },
    },
  },
  refusals: ['not-found.reconciliation'],
  async handle({ input: { id, outcome, after = 0 }, response }, { pool, contacts }) {
    const mode = modeOf(response);
    if (!(await findReconciliation(pool, mode, id))) throw new Refusal('not-found.reconciliation');
    const { accountId } = mode;
    const rows = await readRows(pool, contacts, { accountId, id, outcome, after, limit: rowsMax });
    const last = rows.length === rowsMax ? rows.at(-1) : undefined;
    return { status: 200, body: { items: rows.map(view), next: last ? String(last.number) : null } };
  },
});

const example = `"conversionExternalReference","amount","currency","clientExternalReference","email","occurredAt","outcome","conversionId","registeredAmount","registeredCurrency","undelivered","message"
"order-8731","149.90","USD","customer-1042",,"2026-10-03T12:00:00.000Z","amountDiffers",31,"139.90","USD",,
"order-8732","80.00","USD",,"ana@example.com","2026-10-31T21:20:00.000Z","matched",32,"80.00","USD","meta google",
`;

export const readReconciliationFile = endpoint<ApiContext>()({
  method: 'get',
  path: '/reconciliation/:id/rows.csv',
  subject: 'Reconciliation',
  summary: 'Read the rows of a reconciliation as a file',
  description:
    'Returns the same rows as `GET /reconciliation/{id}/rows`, all at once. Texts are in quotes, and an apostrophe stands before each sign that a spreadsheet would read as the beginning of a formula. The file can be corrected and sent as a list: the columns of the result are ignored then.',
  input: z.object({ id: recordId, outcome: outcomeParameter }),
  headers: nothing,
  replies: { 200: { description: 'The rows.', mediaType: 'text/csv', body: csvParts, example } },
  refusals: ['not-found.reconciliation'],
  async handle({ input: { id, outcome }, response }, { pool, contacts }) {
    const mode = modeOf(response);
    if (!(await findReconciliation(pool, mode, id))) throw new Refusal('not-found.reconciliation');
    const name = ['reconciliation', id, ...(outcome === undefined ? [] : [outcome])].join('-');
    const headers = { 'Content-Disposition': `attachment; filename="${name}.csv"` };
    return {
      status: 200,
      headers,
      body: reconciliationFile(pool, contacts, { accountId: mode.accountId, id, outcome }),
    };
  },
});

// most replays are done by then, and the caller has nothing to poll
const waitMs = 1_500;
const pauseMs = 25;

/** Works on a replay for a moment, unless another instance does. Returns how far it is. */
const replayed = async (context: ApiContext, mode: AccountMode, id: number) => {
  for (const until = performance.now() + waitMs; ; ) {
    const slice = await reconcile(context, id);
    const isLate = performance.now() > until;
    if (slice && !slice.isDone && !isLate) continue;
    const replay = (await findReconciliation(context.pool, mode, id))?.replay;
    if (!replay) throw new Refusal('not-found.reconciliation');
    if (replay.state !== 'running' || isLate) return replay;
    await pause(pauseMs);
  }
};

export const replayReconciliation = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/reconciliation/:id/replay',
  subject: 'Reconciliation',
  summary: 'Register what is missing',
  description:
    'Registers the rows with the given outcomes that are not registered yet, each at its own `occurredAt`. Repeating it registers nothing twice. With `dryRun`, everything is tried and nothing is kept. If it is not done in a second, the response is 202, and `GET /reconciliation/{id}` shows its progress as `replay`.',
  input: z.object(
    {
      outcomes: z
        .array(z.enum(replayableOutcomes, `expected ${replayableOutcomes.join(' or ')}`), 'expected a list of outcomes')
        .min(1, 'must not be empty')
        .meta({ description: '`missingWithoutClient`: for clients that you registered after the comparison.' }),
      dryRun: z.boolean('expected true or false').default(false),
    },
    { error: 'expected a JSON object' },
  ),
  parameters: z.object({ id: recordId }),
  examples: { 'See first': { outcomes: ['missing'], dryRun: true }, Register: { outcomes: ['missing'] } },
  headers: nothing,
  replies: {
    200: { description: 'All rows are registered, or it has failed.', body: replayBody, example: exampleReplay },
    202: {
      description: 'It is in progress.',
      body: replayBody,
      example: { ...exampleReplay, state: 'running' },
    },
  },
  refusals: ['not-found.reconciliation', 'idempotency-in-progress.reconciliation'],
  async handle({ input: { outcomes, dryRun: isDryRun }, parameters: { id }, response }, context) {
    const mode = modeOf(response);
    const started = await startReplay(context.pool, mode, { id, outcomes, isDryRun });
    const replay = await replayed(context, mode, id).catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      context.events.reconciliationFailed(error);
      return started; // it goes on, in the background
    });
    return { status: replay.state === 'running' ? 202 : 200, body: replayView(replay) };
  },
});
