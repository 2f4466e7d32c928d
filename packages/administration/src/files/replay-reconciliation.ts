import type { AccountMode, ReplayableOutcome } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import { replayStarter } from '@leadback/intake';
import { auditOn } from '@leadback/people';

export interface ReplayToStart {
  readonly id: number;
  readonly outcomes: readonly ReplayableOutcome[];
  /** Tries everything and keeps nothing. */
  readonly isDryRun: boolean;
}

/** Starts to register what a list has and the account has not. See `ReplayStarter`. */
export const replayReconciliation = async (
  pool: Pool,
  actor: string,
  mode: AccountMode,
  { id, outcomes, isDryRun }: ReplayToStart,
): Promise<void> => {
  const { accountId } = mode;
  const target = `reconciliation ${id}`;
  await replayStarter(pool)(mode, {
    id,
    outcomes,
    isDryRun,
    onStarted: (on) =>
      auditOn(on, { actor, action: 'reconciliation.replay', accountId, target, details: { outcomes, isDryRun } }),
  });
};
