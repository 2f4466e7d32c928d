import type { Accepted } from '@leadback/core/accepted';
import type { AccountMode } from '@leadback/domain';

export interface AcceptedLog {
  readonly note: (kind: Accepted['kind'], by: Pick<AccountMode, 'accountId'>, id: number) => void;
  /** The newest that were noted, in no order. */
  readonly all: () => readonly Accepted[];
}

// some minutes of an api at its limit, in some megabytes of memory
const keptMax = 100_000;

/** Remembers what this process accepted, so that it can be looked for after a failover. The newest replace the oldest. */
export const acceptedLog = (max = keptMax): AcceptedLog => {
  const kept: Accepted[] = [];
  let next = 0;
  return {
    note: (kind, { accountId }, id) => {
      kept[next] = { kind, accountId, id, atMs: Date.now() };
      next = (next + 1) % max;
    },
    all: () => [...kept],
  };
};
