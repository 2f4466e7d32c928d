import {
  platformNames,
  type ReconciliationMeasure,
  dayOrTimeSchema,
  isEmptyRange,
  reconciliationMeasures,
  reconciliationOutcomes,
  replayableOutcomes,
} from '@leadback/domain';
import { z } from 'zod';
import { fileName } from './imports.ts';
import { money, pageOf, rowId, shownReference, testChoice } from './values.ts';

const ofEach = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    matched: schema,
    amountDiffers: schema,
    currencyDiffers: schema,
    duplicateInList: schema,
    missing: schema,
    missingWithoutClient: schema,
    extra: schema,
    undelivered: schema,
    refused: schema,
  } satisfies Readonly<Record<ReconciliationMeasure, Schema>>);

/** `POST /api/accounts/:account/reconciliations?from=2026-10-01&to=2026-10-31&test=false`: the list, as `text/csv`. */
export const createReconciliationInput = z
  .object({ from: dayOrTimeSchema, to: dayOrTimeSchema, test: testChoice, name: fileName })
  .refine((range) => !isEmptyRange(range), { path: ['from'], message: 'must not be after to' });
export const createReconciliationReply = z.object({ id: z.number() });

const replay = z.object({
  state: z.enum(['running', 'done', 'failed']),
  isDryRun: z.boolean(),
  counts: z.object({ created: z.number(), repeated: z.number(), differs: z.number(), refused: z.number() }),
  /** Of the created ones. */
  money: z.array(money),
  tooOld: z.array(z.object({ platform: z.enum(platformNames), rows: z.number() })),
  /** Of the created ones: without a time in the list, so they count as of now. */
  withoutTime: z.number(),
});

export const reconciliationItem = z.object({
  id: z.number(),
  isTest: z.boolean(),
  state: z.enum(['pending', 'running', 'done', 'failed']),
  from: z.string(),
  /** Not in the range. */
  until: z.string(),
  rows: z.number(),
  /** Rows of the list that have been compared. */
  done: z.number(),
  counts: ofEach(z.number()),
  /** By the list; of `extra`, as registered. */
  money: ofEach(z.array(money)),
  /** Of the conversions whose amount differs, as they were registered. */
  registered: z.array(money),
  replay: replay.nullable(),
  fileName: z.string().nullable(),
  /** Null: a partner, with an API key. */
  createdBy: z.string().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});

/** `GET /api/accounts/:account/reconciliations`: newest first, live and test. */
export const reconciliationsInput = z.object({ before: rowId.optional() });
export const reconciliationsReply = pageOf(reconciliationItem);

const measure = z.enum(reconciliationMeasures);

/** `GET /api/accounts/:account/reconciliations/:id/rows?outcome=missing`: in the order of the list. */
export const listedRowsInput = z.object({ outcome: measure.optional(), after: rowId.optional() });
const listedRow = z.object({
  /** Place in the list; conversions that are not in the list follow. */
  number: z.number(),
  /** Null: not compared yet. */
  outcome: z.enum(reconciliationOutcomes).nullable(),
  reference: shownReference.nullable(),
  amount: money.nullable(),
  /** Of the conversion, now. */
  registered: money.nullable(),
  occurredAt: z.string().nullable(),
  conversionId: z.number().nullable(),
  undelivered: z.array(z.enum(platformNames)),
  message: z.string().nullable(),
});
export const listedRowsReply = pageOf(listedRow);

/** `GET /api/accounts/:account/reconciliations/:id/rows.csv?outcome=missing` */
export const listedFileInput = z.object({ outcome: measure.optional() });

/** `POST /api/accounts/:account/reconciliations/:id/replay` → 202; 409 while the reconciliation is in progress. */
export const replayInput = z.object({
  outcomes: z.array(z.enum(replayableOutcomes)).min(1),
  /** Tries everything and keeps nothing. */
  isDryRun: z.boolean(),
});

export type ReconciliationItem = z.output<typeof reconciliationItem>;
export type ReconciliationsReply = z.output<typeof reconciliationsReply>;
export type Replay = z.output<typeof replay>;
export type Measure = z.output<typeof measure>;
export type ListedRow = z.output<typeof listedRow>;
export type ListedRowsReply = z.output<typeof listedRowsReply>;
export type ReplayInput = z.output<typeof replayInput>;
