import type { AccountMode, ReconciliationStep } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import {
  countsSchema,
  type ReconciliationCounts,
  type ReconciliationMoney,
  reconciliationMoneySchema,
} from './counts.ts';
import { type Replay, replaySchema } from './replay-state.ts';

export interface ReplayProgress extends Omit<Replay, 'todo' | 'after' | 'hasFailed'> {
  readonly state: 'running' | 'done' | 'failed';
}

export interface ReconciliationRecord {
  readonly id: number;
  readonly isTest: boolean;
  /** done: the comparison, whatever a replay still does. failed: its next rows failed again and again. */
  readonly state: 'pending' | 'running' | 'done' | 'failed';
  readonly from: Date;
  readonly until: Date;
  readonly rows: number;
  /** Rows of the list that have been compared. */
  readonly done: number;
  readonly counts: ReconciliationCounts;
  readonly money: ReconciliationMoney;
  readonly replay: ReplayProgress | null;
  readonly fileName: string | null;
  /** Null: a partner, with an API key. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

interface Row extends Omit<ReconciliationRecord, 'state' | 'counts' | 'money' | 'replay'> {
  step: Exclude<ReconciliationStep, 'receive'> | null;
  isFailed: boolean;
  counts: unknown;
  money: unknown;
  replay: unknown;
}

const columns = `id, is_test as "isTest", step, is_failed as "isFailed", from_at as "from", until_at as until, rows,
  compared as done, counts, money, replay, file_name as "fileName", created_by as "createdBy",
  created_at as "createdAt", finished_at as "finishedAt"`;

const read = preparedStatement<Row>(
  'read-reconciliation',
  `select ${columns} from reconciliation
   where id = $1 and account_id + 0 = $2 and ($3::boolean is null or is_test = $3) and step is distinct from 'receive'`,
);

// with `between`, only the index of the account has this order
const list = preparedStatement<Row>(
  'list-reconciliations',
  `select ${columns} from reconciliation
   where account_id between $1 and $1 and id < $3 and step is distinct from 'receive'
   order by account_id desc, id desc limit $2`,
);

const stateOf = ({ step, isFailed, done }: Pick<Row, 'step' | 'isFailed' | 'done'>): ReconciliationRecord['state'] => {
  if (isFailed) return 'failed';
  if (step === null || step === 'replay') return 'done';
  return step === 'compare' && done === 0 ? 'pending' : 'running';
};

const replayOf = (stored: unknown, isRunning: boolean): ReplayProgress | null => {
  if (stored === null) return null;
  const { hasFailed, ...replay } = replaySchema.parse(stored);
  const ended = hasFailed ? 'failed' : 'done';
  return { ...replay, state: isRunning ? 'running' : ended };
};

/** Undefined if the account has no such reconciliation in this mode, or its list has not arrived whole. */
export type ReconciliationReader = (
  account: Pick<AccountMode, 'accountId'> & Partial<AccountMode>,
  id: number,
) => Promise<ReconciliationRecord | undefined>;

const recordOf = ({ step, isFailed, counts, money, replay, ...same }: Row): ReconciliationRecord => ({
  ...same,
  state: stateOf({ step, isFailed, done: same.done }),
  counts: countsSchema.parse(counts),
  money: reconciliationMoneySchema.parse(money),
  replay: replayOf(replay, step === 'replay'),
});

export const reconciliationReader =
  (pool: Pool): ReconciliationReader =>
  async ({ accountId, isTest }, id) => {
    const [row] = await read(pool, [id, accountId, isTest ?? null]);
    return row && recordOf(row);
  };

/** The newest reconciliations of an account, live and test; `before`: only those with a smaller id. */
export const listReconciliations = async (
  pool: Pool,
  accountId: number,
  { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined },
): Promise<ReconciliationRecord[]> => (await list(pool, [accountId, limit, before])).map(recordOf);
