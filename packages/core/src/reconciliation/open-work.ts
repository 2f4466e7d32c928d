import { preparedStatement, type PoolClient } from '@leadback/db';
import { toldOfFinished } from '../delivery/tell-webhooks.ts';
import type { AccountMode, ReconciliationStep } from '@leadback/domain';
import {
  countsSchema,
  type ReconciliationCounts,
  type ReconciliationMoney,
  reconciliationMoneySchema,
} from './counts.ts';
import { type Replay, replaySchema } from './replay-state.ts';

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
const takeAny = preparedStatement<Row>(
  'take-reconciliation',
  `select ${columns} from reconciliation
   where step <> 'receive' and worked_at <= now() order by worked_at limit 1 for update skip locked`,
);

const takeOne = preparedStatement<Row>(
  'take-one-reconciliation',
  `select ${columns} from reconciliation
   where id = $1 and step is not null and step is distinct from 'receive' and worked_at <= now()
   limit 1 for update skip locked`,
);

// a later replay finishes nothing that was not finished before
const save = preparedStatement(
  'save-reconciliation',
  `with before as materialized (
     select finished_at from reconciliation where id = $1 for update
   ), saved as (
   update reconciliation r
   set step = $2, compared = $3, counts = $4, walked_at = $5, walked_id = $6, replay = $7, money = $8, worked_at = clock_timestamp(),
       failures = 0, finished_at = coalesce(before.finished_at, case when $2::text is null then clock_timestamp() end)
   from before where r.id = $1
   returning r.id, r.account_id, r.is_test, r.counts, before.finished_at is null and r.finished_at is not null as is_finished
   ), finished as (
     select *, 'done' as state from saved where is_finished
   ), ${toldOfFinished('reconciliation')}
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
