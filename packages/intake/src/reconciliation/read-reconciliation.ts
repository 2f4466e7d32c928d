import type { AccountMode, ReconciliationStep } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { countsSchema, type ReconciliationCounts } from './counts.ts';
import { type Replay, replaySchema } from './replay-state.ts';

export interface ReconciliationRecord {
  readonly id: number;
  /** done: the comparison, whatever a replay still does. */
  readonly state: 'pending' | 'running' | 'done';
  readonly from: Date;
  readonly until: Date;
  readonly rows: number;
  /** Rows of the list that have been compared. */
  readonly done: number;
  readonly counts: ReconciliationCounts;
  readonly replay: (Omit<Replay, 'todo' | 'after'> & { readonly state: 'running' | 'done' }) | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

interface Row extends Omit<ReconciliationRecord, 'state' | 'counts' | 'replay'> {
  step: Exclude<ReconciliationStep, 'receive'> | null;
  counts: unknown;
  replay: unknown;
}

const read = preparedStatement<Row>(
  'read-reconciliation',
  `select id, step, from_at as "from", until_at as until, rows, compared as done, counts, replay,
          created_at as "createdAt", finished_at as "finishedAt"
   from reconciliation where id = $1 and account_id + 0 = $2 and is_test = $3 and step is distinct from 'receive'`,
);

const stateOf = ({ step, done }: Row): ReconciliationRecord['state'] => {
  if (step === null || step === 'replay') return 'done';
  return step === 'compare' && done === 0 ? 'pending' : 'running';
};

/** Undefined if the account has no such reconciliation in this mode, or its list has not arrived whole. */
export type ReconciliationReader = (mode: AccountMode, id: number) => Promise<ReconciliationRecord | undefined>;

export const reconciliationReader =
  (pool: Pool): ReconciliationReader =>
  async ({ accountId, isTest }, id) => {
    const [row] = await read(pool, [id, accountId, isTest]);
    if (!row) return undefined;
    const { step, counts, replay, ...same } = row;
    const stored = replay === null ? null : replaySchema.parse(replay);
    return {
      ...same,
      state: stateOf(row),
      counts: countsSchema.parse(counts),
      replay: stored && { ...stored, state: step === 'replay' ? 'running' : 'done' },
    };
  };
