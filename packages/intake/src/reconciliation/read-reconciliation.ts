import type { AccountMode, ReconciliationStep } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { countsSchema, type ReconciliationCounts } from './counts.ts';
import { type Replay, replaySchema } from './replay-state.ts';

export interface ReplayProgress extends Omit<Replay, 'todo' | 'after' | 'hasFailed'> {
  readonly state: 'running' | 'done' | 'failed';
}

export interface ReconciliationRecord {
  readonly id: number;
  /** done: the comparison, whatever a replay still does. failed: its next rows failed again and again. */
  readonly state: 'pending' | 'running' | 'done' | 'failed';
  readonly from: Date;
  readonly until: Date;
  readonly rows: number;
  /** Rows of the list that have been compared. */
  readonly done: number;
  readonly counts: ReconciliationCounts;
  readonly replay: ReplayProgress | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

interface Row extends Omit<ReconciliationRecord, 'state' | 'counts' | 'replay'> {
  step: Exclude<ReconciliationStep, 'receive'> | null;
  isFailed: boolean;
  counts: unknown;
  replay: unknown;
}

const read = preparedStatement<Row>(
  'read-reconciliation',
  `select id, step, is_failed as "isFailed", from_at as "from", until_at as until, rows, compared as done, counts, replay,
          created_at as "createdAt", finished_at as "finishedAt"
   from reconciliation where id = $1 and account_id + 0 = $2 and is_test = $3 and step is distinct from 'receive'`,
);

const stateOf = ({ step, isFailed, done }: Row): ReconciliationRecord['state'] => {
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
export type ReconciliationReader = (mode: AccountMode, id: number) => Promise<ReconciliationRecord | undefined>;

export const reconciliationReader =
  (pool: Pool): ReconciliationReader =>
  async ({ accountId, isTest }, id) => {
    const [row] = await read(pool, [id, accountId, isTest]);
    if (!row) return undefined;
    const { step, isFailed: _, counts, replay, ...same } = row;
    return {
      ...same,
      state: stateOf(row),
      counts: countsSchema.parse(counts),
      replay: replayOf(replay, step === 'replay'),
    };
  };
