import type { Queryable } from '@leadback/db';

/** One round of a statement that takes at most `$1` changes with ids from `$2` on, and adds them to sums. */
export type RollUp = (
  on: Queryable,
  values: readonly [changesMax: number, fromId: number],
) => Promise<readonly { readonly rolled_up: number; readonly first_id: number | null }[]>;

/** Adds at most so many changes to their sums. Returns how many. */
export type ChangeRoller = (on: Queryable, changesMax: number) => Promise<number>;

// a transaction that began so long ago has committed its changes or never will
const commitMaxMs = 15_000;
// from time to time everything is read, in case one took longer all the same, or did not commit a round
const markKeptMs = 600_000;

interface Round {
  readonly beganAt: number;
  /** The first change that it has rolled up: no earlier one was left. */
  readonly firstId: number;
}

/**
 * Returns a function that rolls changes up. Remembers which change was the oldest: while a long snapshot (a backup) keeps
 * deleted changes in the table, reading them again in every round would cost more each time.
 */
export const changeRoller = (rollUp: RollUp): ChangeRoller => {
  let rounds: Round[] = [];
  let isReadFrom = -Infinity;

  const markAt = (now: number): number => {
    if (now - isReadFrom > markKeptMs) {
      isReadFrom = now;
      rounds = [];
    }
    const settled = rounds.findLastIndex(({ beganAt }) => now - beganAt > commitMaxMs);
    rounds = rounds.slice(Math.max(0, settled));
    return settled === -1 ? 0 : (rounds[0]?.firstId ?? 0);
  };

  return async (on, changesMax) => {
    const beganAt = performance.now();
    const [row] = await rollUp(on, [changesMax, markAt(beganAt)]);
    if (row !== undefined && row.first_id !== null) rounds.push({ beganAt, firstId: row.first_id });
    return row?.rolled_up ?? 0;
  };
};
