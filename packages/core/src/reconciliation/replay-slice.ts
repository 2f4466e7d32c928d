import { eventAgeMaxMs, platformNames } from '@leadback/domain';
import type { Contacts, PoolClient } from '@leadback/db';
import { type ConversionOutcome, registerConversions } from '../batches.ts';
import { addMoney } from '../imports/money-sums.ts';
import type { OpenReconciliation, WorkedOff } from './open-work.ts';
import type { Replay } from './replay-state.ts';
import { findRowsToReplay, markReplayedRows, type RowToReplay } from './rows-to-replay.ts';

type Registered = Awaited<ReturnType<typeof registerConversions>>;

export interface ReplayedSlice {
  readonly slice: WorkedOff;
  /** Undefined if nothing is kept. */
  readonly registered?: Registered;
}

const rowsMax = 200;

const itemOf = ({ amount, clientExternalReference, email, occurredAt, ...row }: RowToReplay) => ({
  conversionExternalReference: row.conversionExternalReference,
  amount: Number(amount), // exact: a double has digits enough
  currency: row.currency,
  clientExternalReference,
  email,
  occurredAt: occurredAt?.toISOString(),
});

const register = async (
  on: PoolClient,
  { mode, replay }: OpenReconciliation,
  rows: readonly RowToReplay[],
  contacts: Contacts,
) => {
  const items = rows.map((row) => itemOf(row));
  if (replay?.isDryRun !== true) return registerConversions(on, mode, items, contacts);
  await on.query('savepoint dry_run');
  const registered = await registerConversions(on, mode, items, contacts);
  await on.query('rollback to savepoint dry_run');
  return registered;
};

/** Adds the outcomes of rows. Whether a platform skips an event is judged as the worker will. */
const counted = (replay: Replay, rows: readonly RowToReplay[], outcomes: readonly ConversionOutcome[]): Replay => {
  const counts = { ...replay.counts };
  const tooOld = { ...replay.tooOld };
  let { withoutTime } = replay;
  for (const [index, { ageMs }] of rows.entries()) {
    const outcome = outcomes[index]?.outcome;
    if (outcome === undefined) throw new Error('a row has no outcome');
    counts[outcome] += 1;
    if (outcome !== 'created') continue;
    if (ageMs === null) withoutTime += 1;
    for (const platform of platformNames) {
      const count = tooOld[platform];
      if (count !== undefined && ageMs !== null && ageMs > eventAgeMaxMs(platform)) tooOld[platform] = count + 1;
    }
  }
  const created = rows.filter((_, index) => outcomes[index]?.outcome === 'created');
  return { ...replay, counts, tooOld, withoutTime, money: addMoney(replay.money, created) };
};

/** Registers the next missing rows. */
export const replaySlice = async (
  on: PoolClient,
  work: OpenReconciliation,
  contacts: Contacts,
): Promise<ReplayedSlice> => {
  const { id, replay, mode } = work;
  if (!replay) throw new Error('a replay without an order');
  const [outcome, ...others] = replay.todo;
  if (outcome === undefined) return { slice: { step: null } };
  const { accountId } = mode;
  const found = await findRowsToReplay(on, { id, accountId, outcome, after: replay.after, limit: rowsMax }, contacts);
  const rows = found.filter(({ isRegistered }) => !isRegistered);
  const isLast = found.length < rowsMax;
  const position = isLast ? { todo: others, after: 0 } : { after: found.at(-1)?.number ?? replay.after };
  const step = isLast && others.length === 0 ? null : 'replay';

  const registered = await register(on, work, rows, contacts);
  const { outcomes } = registered;
  const slice: WorkedOff = { step, replay: { ...counted(replay, rows, outcomes), ...position } };
  if (replay.isDryRun || rows.length === 0) return { slice };
  const marks = rows.map(({ number }, index) => {
    const result = outcomes[index];
    return {
      number,
      conversionId: result && 'id' in result ? result.id : null,
      message: result && 'message' in result ? result.message : null,
    };
  });
  await markReplayedRows(on, { id, accountId }, marks);
  return { slice, registered };
};
