import {
  type AccountMode,
  Refusal,
  type ReplayableOutcome,
  type Currency,
  eventAgeMaxMs,
  platformNames,
} from '@leadback/domain';
import { transaction, type Pool, type PoolClient, statement, type ContactCipher, type Queryable } from '@leadback/db';
import { platformsOf } from '../delivery/enqueue.ts';
import type { ReplayProgress } from './read.ts';
import type { Replay, OpenReconciliation, WorkedOff } from './state.ts';
import { type StoredEmail, storedEmail, withEmail, withOutcome } from './rows.ts';
import { type ConversionOutcome, registerConversions } from '../batches.ts';
import { addMoney } from '../imports/money-sums.ts';
import { tryOut } from '../work-queue.ts';

interface ReplayOrder {
  readonly id: number;
  readonly outcomes: readonly ReplayableOutcome[];
  readonly isDryRun: boolean;
  /** Called in the transaction that starts it. */
  readonly onStarted?: ((on: PoolClient) => Promise<void>) | undefined;
}

const order = statement<{ isFree: boolean; isStarted: boolean }>(
  `with mine as (
     select id, step is null as is_free from reconciliation
     where id = $1 and account_id = $2 and is_test = $3 and step is distinct from 'receive' for update
   ), started as (
     update reconciliation set step = 'replay', replay = $4, due_at = clock_timestamp(), failures = 0
     where id = $1 and (select is_free from mine)
     returning 1
   )
   select is_free as "isFree" from mine`,
);

/**
 * Orders the registration of rows that are missing, or an attempt of it that keeps nothing. Throws
 * `not-found.reconciliation`, or `idempotency-in-progress.reconciliation` before the comparison or an earlier replay is over.
 * Returns the replay as it begins.
 */
export const startReplay = (
  pool: Pool,
  { accountId, isTest }: AccountMode,
  { id, outcomes, isDryRun, onStarted }: ReplayOrder,
): Promise<ReplayProgress> =>
  transaction(pool, async (on) => {
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

interface RowToReplay {
  readonly number: number;
  readonly conversionExternalReference: string;
  /** Exact decimal with those of its currency. */
  readonly amount: string;
  readonly currency: Currency;
  readonly clientExternalReference: string | null;
  readonly email: string | null;
  readonly occurredAt: Date | null;
  /** By the clock of the database; null: the list does not say when it occurred. */
  readonly ageMs: number | null;
  /** Whether an earlier replay has registered it. */
  readonly isRegistered: boolean;
}

type StoredRow = Omit<RowToReplay, 'email'> & StoredEmail;

interface NextRows {
  readonly id: number;
  readonly accountId: number;
  readonly outcome: ReplayableOutcome;
  readonly after: number;
  readonly limit: number;
}

const find = statement<StoredRow>(
  `select r.number, r.external_reference as "conversionExternalReference", r.amount, r.currency,
          r.client_external_reference as "clientExternalReference", ${storedEmail},
          r.occurred_at as "occurredAt", extract(epoch from now() - r.occurred_at)::float8 * 1000 as "ageMs",
          r.conversion_id is not null as "isRegistered"
   from reconciliation_row r
   where ${withOutcome('$5')} and r.account_id = $2 and r.number > $3 order by r.number limit $4`,
);

/** Returns the next rows with an outcome, also those that are registered. */
const findRowsToReplay = async (
  on: Queryable,
  contacts: ContactCipher,
  { id, accountId, outcome, after, limit }: NextRows,
): Promise<RowToReplay[]> => {
  const rows = await find(on, [id, accountId, after, limit, outcome]);
  return rows.map((row) => withEmail(contacts, { id, accountId }, row));
};

interface ReplayedRow {
  readonly number: number;
  readonly conversionId: number | null;
  readonly message: string | null;
}

// without a join: its plan could compare all rows of the list with each of these
const mark = statement(
  `update reconciliation_row
   set conversion_id = ($4::bigint[])[array_position($3::int[], number)],
       message = ($5::text[])[array_position($3::int[], number)]
   where reconciliation_id = $1 and account_id = $2 and number = any($3::int[])`,
);

const markReplayedRows = async (
  on: Queryable,
  { id, accountId }: Pick<NextRows, 'id' | 'accountId'>,
  rows: readonly ReplayedRow[],
): Promise<void> => {
  const numbers = rows.map(({ number }) => number);
  const conversionIds = rows.map(({ conversionId }) => conversionId);
  await mark(on, [id, accountId, numbers, conversionIds, rows.map(({ message }) => message)]);
};

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
  contacts: ContactCipher,
  { mode, replay }: OpenReconciliation,
  rows: readonly RowToReplay[],
) => {
  const items = rows.map((row) => itemOf(row));
  const registering = () => registerConversions(on, mode, items, { contacts });
  return replay?.isDryRun === true ? tryOut(on, registering) : registering();
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
  contacts: ContactCipher,
  work: OpenReconciliation,
): Promise<ReplayedSlice> => {
  const { id, replay, mode } = work;
  if (!replay) throw new Error('a replay without an order');
  const [outcome, ...others] = replay.todo;
  if (outcome === undefined) return { slice: { step: null } };
  const { accountId } = mode;
  const found = await findRowsToReplay(on, contacts, { id, accountId, outcome, after: replay.after, limit: rowsMax });
  const rows = found.filter(({ isRegistered }) => !isRegistered);
  const isLast = found.length < rowsMax;
  const position = isLast ? { todo: others, after: 0 } : { after: found.at(-1)?.number ?? replay.after };
  const step = isLast && others.length === 0 ? null : 'replay';

  const registered = await register(on, contacts, work, rows);
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
