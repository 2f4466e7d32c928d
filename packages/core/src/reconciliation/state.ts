import {
  type ReconciliationMeasure,
  reconciliationMeasures,
  platformNames,
  replayableOutcomes,
  type AccountMode,
  type ReconciliationStep,
} from '@leadback/domain';
import { z } from 'zod';
import { statement, type PoolClient } from '@leadback/db';
import { addMoney, type Amount, moneySumsSchema } from '../imports/money-sums.ts';
import { announceFinished } from '../delivery/webhook-deliveries.ts';

export type ReconciliationCounts = Readonly<Record<ReconciliationMeasure, number>>;

/** Reads stored counts; measures without rows are not stored. */
export const countsSchema = z
  .partialRecord(z.enum(reconciliationMeasures), z.number())
  .transform((stored): ReconciliationCounts => {
    const count = (measure: ReconciliationMeasure) => stored[measure] ?? 0;
    return {
      matched: count('matched'),
      amountDiffers: count('amountDiffers'),
      currencyDiffers: count('currencyDiffers'),
      duplicateInList: count('duplicateInList'),
      missing: count('missing'),
      missingWithoutClient: count('missingWithoutClient'),
      extra: count('extra'),
      undelivered: count('undelivered'),
      refused: count('refused'),
    };
  });

/** Amounts by outcome; `registered`: of the conversions whose amount differs, as they are registered. */
export const reconciliationMoneySchema = z.partialRecord(
  z.enum([...reconciliationMeasures, 'registered']),
  moneySumsSchema,
);
export type ReconciliationMoney = Readonly<z.infer<typeof reconciliationMoneySchema>>;

/** Adds amounts of one kind. */
export const withMoney = (
  money: ReconciliationMoney,
  kind: keyof ReconciliationMoney,
  amounts: readonly Amount[],
): ReconciliationMoney => ({ ...money, [kind]: addMoney(money[kind] ?? {}, amounts) });

/** Adds up counts. */
export const addedUp = (
  counts: ReconciliationCounts,
  more: Iterable<readonly [ReconciliationMeasure, number]>,
): ReconciliationCounts => {
  const sums: Record<ReconciliationMeasure, number> = { ...counts };
  for (const [measure, count] of more) sums[measure] += count;
  return sums;
};

/** The outcomes of rows that were registered. `repeated`: it was registered meanwhile, alike. `differs`: not alike. */
const replayResults = ['created', 'repeated', 'differs', 'refused'] as const;

export const replaySchema = z.object({
  /** Whether everything is tried and nothing is kept. */
  isDryRun: z.boolean(),
  /** Those of which rows are left to register. */
  todo: z.array(z.enum(replayableOutcomes)),
  /** The number of the last row that was registered with the first of them. */
  after: z.number(),
  counts: z.record(z.enum(replayResults), z.number()),
  /** What the created ones are worth, by currency. */
  money: moneySumsSchema.default({}),
  /** How many of the created ones each platform of the account will skip, because they occurred too long ago. */
  tooOld: z.partialRecord(z.enum(platformNames), z.number()),
  /** How many of the created ones count as of now, because the list does not say when they occurred. */
  withoutTime: z.number(),
  /** Whether it ended because the next rows failed again and again. */
  hasFailed: z.boolean().default(false),
});
export type Replay = Readonly<z.infer<typeof replaySchema>>;

/** A reconciliation of which this transaction works off a slice. */
export interface OpenReconciliation {
  readonly id: number;
  readonly mode: AccountMode;
  readonly step: Exclude<ReconciliationStep, 'receive'>;
  readonly until: Date;
  readonly rows: number;
  readonly compared: number;
  readonly counts: ReconciliationCounts;
  readonly money: ReconciliationMoney;
  /** With microseconds. */
  readonly walkedAt: string;
  readonly walkedId: number;
  readonly replay: Replay | null;
}

/** What changes with a slice. */
export type WorkedOff = Partial<
  Pick<OpenReconciliation, 'compared' | 'counts' | 'money' | 'walkedAt' | 'walkedId' | 'replay'>
> & {
  /** Null: there is nothing left to do. */
  readonly step: ReconciliationStep | null;
};

interface Row {
  id: number;
  account_id: number;
  is_test: boolean;
  step: OpenReconciliation['step'];
  until_at: Date;
  rows: number;
  compared: number;
  counts: unknown;
  money: unknown;
  walked_at: string;
  walked_id: number;
  replay: unknown;
}

const columns = `id, account_id, is_test, step, until_at, rows, compared, counts, money, walked_at::text, walked_id, replay`;

// the one that has waited longest: no list waits for all of a longer one
const takeAny = statement<Row>(
  `select ${columns} from reconciliation
   where step <> 'receive' and due_at <= now() order by due_at limit 1 for update skip locked`,
);

const takeOne = statement<Row>(
  `select ${columns} from reconciliation
   where id = $1 and step <> 'receive' and due_at <= now() for update skip locked`,
);

// a later replay finishes nothing that was not finished before
const save = statement(
  `with saved as (
     update reconciliation
     set step = $2, compared = $3, counts = $4, walked_at = $5, walked_id = $6, replay = $7, money = $8,
         due_at = clock_timestamp(), failures = 0,
         finished_at = coalesce(finished_at, case when $2::text is null then now() end)
     where id = $1
     returning id, account_id, is_test, counts, finished_at
   ), finished as (
     select *, 'done' as state from saved where finished_at = now()
   ), ${announceFinished('reconciliation')}
   select from saved`,
);

/**
 * Locks a reconciliation with work to do, until the transaction ends; undefined if there is none, or all are locked or
 * wait after a failure.
 */
export const takeReconciliation = async (on: PoolClient, id?: number): Promise<OpenReconciliation | undefined> => {
  const [row] = id === undefined ? await takeAny(on, []) : await takeOne(on, [id]);
  return (
    row && {
      id: row.id,
      mode: { accountId: row.account_id, isTest: row.is_test },
      step: row.step,
      until: row.until_at,
      rows: row.rows,
      compared: row.compared,
      counts: countsSchema.parse(row.counts),
      money: reconciliationMoneySchema.parse(row.money),
      walkedAt: row.walked_at,
      walkedId: row.walked_id,
      replay: row.replay === null ? null : replaySchema.parse(row.replay),
    }
  );
};

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

export const saveWorkedOff = async (on: PoolClient, taken: OpenReconciliation, slice: WorkedOff): Promise<void> => {
  const { id, step, compared, counts, money, walkedAt, walkedId, replay } = { ...taken, ...slice };
  await save(on, [id, step, compared, json(counts), walkedAt, walkedId, json(replay), json(money)]);
};
