import { type AccountMode, Refusal, type ReplayableOutcome } from '@leadback/domain';
import { inTransaction, type Pool, type PoolClient, preparedStatement } from '@leadback/db';
import { platformsOf } from '../platforms-of.ts';
import type { ReplayProgress } from './read-reconciliation.ts';
import type { Replay } from './replay-state.ts';

export interface ReplayOrder {
  readonly id: number;
  readonly outcomes: readonly ReplayableOutcome[];
  readonly isDryRun: boolean;
  /** Called in the transaction that starts it. */
  readonly onStarted?: ((on: PoolClient) => Promise<void>) | undefined;
}

const order = preparedStatement<{ isFree: boolean; isStarted: boolean }>(
  'start-replay',
  `with mine as (
     select id, step is null as is_free from reconciliation
     where id = $1 and account_id + 0 = $2 and is_test = $3 and step is distinct from 'receive' limit 1 for update
   ), started as (
     update reconciliation set step = 'replay', replay = $4, worked_at = clock_timestamp(), failures = 0
     where id = $1 and (select is_free from mine)
     returning 1
   )
   select is_free as "isFree" from mine`,
);

/**
 * Orders the registration of rows that are missing, or an attempt of it that keeps nothing. Throws
 * `not-found.reconciliation`, or `idempotency-in-progress.reconciliation` before the comparison or an earlier replay is over. Returns the
 * replay as it begins.
 */
export type ReplayStarter = (mode: AccountMode, order: ReplayOrder) => Promise<ReplayProgress>;

export const replayStarter =
  (pool: Pool): ReplayStarter =>
  ({ accountId, isTest }, { id, outcomes, isDryRun, onStarted }) =>
    inTransaction(pool, async (on) => {
      const platforms = await platformsOf(on, accountId);
      const replay: Replay = {
        isDryRun,
        todo: [...new Set(outcomes)],
        after: 0,
        counts: { created: 0, repeated: 0, differs: 0, refused: 0 },
        money: {},
        tooOld: Object.fromEntries(platforms.map((platform) => [platform, 0])),
        withoutTime: 0,
        hasFailed: false,
      };
      const [found] = await order(on, [id, accountId, isTest, JSON.stringify(replay)]);
      if (!found) throw new Refusal('not-found.reconciliation');
      if (!found.isFree) throw new Refusal('idempotency-in-progress.reconciliation');
      await onStarted?.(on);
      return { ...replay, state: 'running' };
    });
