import {
  type PoolClient,
  statement,
  type Pool,
  isDataError,
  isStatementTimeout,
  type ContactCipher,
} from '@leadback/db';
import { type AccountMode, type PlatformName, type Warning, warningText } from '@leadback/domain';
import type { Keys } from '@leadback/domain/keys';
import {
  type OpenImport,
  referenceColumnOf,
  type ImportSubject,
  countUnshared,
  type ImportTally,
  tallied,
  toldSharing,
  tooOldFor,
  withConsent,
} from './subject.ts';
import { readRow } from './reading.ts';
import { type NewParcel, platformsOf } from '../delivery/enqueue.ts';
import { announceFinished } from '../delivery/webhook-deliveries.ts';
import { failureOf, inSavepoint, tryOut, workOnNext } from '../work-queue.ts';
import { registerClients, registerConversions } from '../batches.ts';

interface MaybeInvented {
  readonly outcome: string;
  readonly id?: number | undefined;
}

/** The outcomes of a dry run without ids of records that it only tried to create. */
export const withoutInventedIds = <Outcome extends MaybeInvented>(outcomes: readonly Outcome[]): Outcome[] => {
  const invented = new Set(outcomes.filter(({ outcome }) => outcome === 'created').map(({ id }) => id));
  return outcomes.map((one) => (invented.has(one.id) ? { ...one, id: undefined } : one));
};

interface Row {
  readonly line: number;
  readonly item: Readonly<Record<string, string | number>>;
  readonly claimedId: number | null;
}

interface Known {
  readonly line: number;
  readonly id: number;
}

// clients without a reference cannot be recognised but by the file and the line
const findSameRows = statement<Known>(
  `select distinct on (r.line) r.line, r.record_id as id
   from import i join import_row r on r.import_id = i.id
   where i.account_id = $1 and i.digest = $2 and i.is_test = $3 and i.id <> $4 and i.subject = 'client' and not i.is_dry_run
     and r.line = any($5) and r.record_id is not null and r.outcome is not null
   order by r.line`,
);

// or by what a result file says; a row with the reference of another client is that client
const findClaimed = statement<Known>(
  `select asked.line, c.id
   from unnest($3::int[], $4::bigint[], $5::text[]) asked (line, id, reference) join client c on c.id = asked.id
   where c.account_id = $1 and c.is_test = $2
     and (asked.reference is null or coalesce(c.external_reference, c.test_reference, asked.reference) = asked.reference)`,
);

/** The clients that rows of a client import registered earlier, by line. */
const findKnownClients = async (
  on: PoolClient,
  { id, accountId, isTest, digest, subject }: OpenImport,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, number>> => {
  if (subject !== 'client') return new Map();
  const referenceOf = ({ item }: Row) => item['externalReference']?.toString() ?? null;
  const nameless = rows.filter((row) => referenceOf(row) === null).map(({ line }) => line);
  const claims = rows.filter(({ claimedId }) => claimedId !== null);
  const same = nameless.length === 0 ? [] : await findSameRows(on, [accountId, digest, isTest, id, nameless]);
  const claimed =
    claims.length === 0
      ? []
      : await findClaimed(on, [
          accountId,
          isTest,
          claims.map(({ line }) => line),
          claims.map(({ claimedId }) => claimedId),
          claims.map(referenceOf),
        ]);
  return new Map([...same, ...claimed].map((found) => [found.line, found.id]));
};

// An event id may be that of one row and the reference of another. The order of each read leaves no other index: what
// PostgreSQL knows of the rows of a new import is too little to choose.
const find = statement<{ cells: readonly string[] }>(
  `select distinct on (line) cells from (
     select r.* from unnest($2::text[]) asked (reference)
     cross join lateral (
       select line, cells from import_row
       where import_id = $1 and dry_run_reference between asked.reference and asked.reference
       order by import_id, dry_run_reference limit 1
     ) r
     union all
     select r.* from unnest($3::text[]) asked (event_id)
     cross join lateral (
       select line, cells from import_row
       where import_id = $1 and dry_run_event_id between asked.event_id and asked.event_id
       order by import_id, dry_run_event_id limit 2
     ) r
   ) earlier
   order by line`,
);

interface RowNames {
  readonly references: readonly string[];
  readonly eventIds: readonly string[];
}

/** The cells of earlier rows of a dry run that would have registered one of these references or event ids. */
const findEarlier = async (
  on: PoolClient,
  importId: number,
  { references, eventIds }: RowNames,
): Promise<(readonly string[])[]> => {
  if (references.length + eventIds.length === 0) return [];
  return (await find(on, [importId, references, eventIds])).map(({ cells }) => cells);
};

interface OpenRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** The client that the row says it is, see `claimedId`. */
  readonly claimedId: number | null;
}

/** The outcome of an item, as the batch endpoints return it. */
interface ItemOutcome {
  readonly outcome: string;
  readonly id?: number | undefined;
  /** Of a conversion that was created. */
  readonly leadId?: number | undefined;
  /** Of one that was refused. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly warnings?: readonly Warning[] | undefined;
}

/** A sale whose buyer is no client did not come from an ad: nothing is wrong with its row. */
const outcomeOf = ({ outcome, code }: ItemOutcome): string =>
  outcome === 'refused' && code === 'client-unknown' ? 'not_from_an_ad' : outcome;

/** Registers many items in the transaction of the caller. Returns one outcome per item, in order. */
type RegisterItems = (
  on: PoolClient,
  mode: AccountMode,
  items: readonly Item[],
) => Promise<{ readonly outcomes: readonly ItemOutcome[]; readonly parcels: readonly NewParcel[] }>;

/** What was accepted, but not as it stands in the row. */
const warningsMessage = (warnings: readonly Warning[] = []): string | undefined =>
  warnings.length === 0 ? undefined : warnings.map(warningText).join(' ');

/** A row as a body of a single request. */
type Item = Readonly<Record<string, string | number>>;

/** A row with its outcome. */
interface ClosedRow extends ItemOutcome {
  readonly line: number;
  readonly item: Item;
  /** Of a row that a dry run would register. */
  readonly dryRunReference?: string | undefined;
  readonly dryRunEventId?: string | undefined;
  /** The platforms that would skip it for its age. */
  readonly tooOldFor?: readonly PlatformName[] | undefined;
}

type Subject = Pick<OpenImport, 'subject'>;

const referenceIn = (item: Item, { subject }: Subject): string | undefined =>
  item[referenceColumnOf[subject]]?.toString();

/** The event id that a conversion gets, unless another sale has it. */
const eventIdIn = (item: Item, about: Subject): string | undefined =>
  about.subject === 'conversion' ? (item['eventId']?.toString() ?? referenceIn(item, about)) : undefined;

const tooOldMessage = (platforms: readonly PlatformName[]): string | undefined =>
  platforms.length === 0
    ? undefined
    : `occurredAt: too long ago for ${platforms.join(', ')}; the event will be skipped`;

/** Registers items and rolls back. The outcomes are those after the rows that the dry run would have registered. */
const tryItems = async (on: PoolClient, about: OpenImport, items: readonly Item[], register: RegisterItems) => {
  const names = {
    references: items.flatMap((item) => referenceIn(item, about) ?? []),
    eventIds: items.flatMap((item) => eventIdIn(item, about) ?? []),
  };
  const earlier = (await findEarlier(on, about.id, names)).map((cells) => readRow(cells, about).item);
  const { outcomes } = await tryOut(on, () => register(on, about, [...earlier, ...items]));
  return { outcomes: withoutInventedIds(outcomes).slice(earlier.length), parcels: [] };
};

interface RegisteredSlice {
  readonly rows: readonly ClosedRow[];
  readonly parcels: readonly NewParcel[];
  /** Of the import so far. */
  readonly tally: ImportTally;
}

/** Registers rows of an import in the transaction of the caller; a dry run only finds out what would happen. */
const registerSlice = async (
  on: PoolClient,
  about: OpenImport,
  open: readonly OpenRow[],
  register: RegisterItems,
): Promise<RegisteredSlice> => {
  const { isDryRun, subject } = about;
  const rows = open.map(({ line, cells, claimedId }) => ({ line, claimedId, ...readRow(cells, about) }));
  const known = await findKnownClients(on, about, rows);
  const fresh: typeof rows = [];
  const closed: ClosedRow[] = [];
  for (const row of rows) {
    const { line, item, problem } = row;
    const id = known.get(line);
    if (id !== undefined) closed.push({ line, item, outcome: 'existing', id });
    else if (problem !== undefined) closed.push({ line, item, outcome: 'refused', message: problem });
    else fresh.push(row);
  }
  if (fresh.length === 0) {
    return { rows: closed, parcels: [], tally: tallied(about, closed, { platforms: [], unshared: 0 }) };
  }
  const isDryRunOfSales = isDryRun && subject === 'conversion';
  const platforms = isDryRunOfSales ? await platformsOf(on, about.accountId) : [];

  const items = fresh.map(({ item }) => item);
  const { outcomes, parcels } = isDryRun
    ? await tryItems(on, about, items, register)
    : await register(on, about, items);
  for (const [index, { line, item }] of fresh.entries()) {
    const result = outcomes[index];
    if (!result) throw new Error('fewer outcomes than items');
    const { id } = result;
    const outcome = outcomeOf(result);
    const message = result.message ?? warningsMessage(result.warnings);
    const isTried = isDryRun && outcome === 'created';
    if (!isTried) {
      closed.push({ line, item, outcome, id, message });
      continue;
    }
    const occurredAt = item['occurredAt']?.toString();
    const skippedBy = occurredAt === undefined ? [] : tooOldFor(occurredAt, about.at, platforms);
    closed.push({
      line,
      item,
      outcome,
      id,
      message: tooOldMessage(skippedBy) ?? message,
      dryRunReference: referenceIn(item, about),
      dryRunEventId: eventIdIn(item, about),
      tooOldFor: skippedBy,
    });
  }
  const created = fresh.flatMap(({ item }, index) => {
    const { outcome, leadId } = outcomes[index] ?? {};
    return isDryRunOfSales && outcome === 'created' ? [{ leadId, word: toldSharing(item) }] : [];
  });
  const leads = created.flatMap(({ leadId, word }) => (word === undefined ? (leadId ?? []) : []));
  const refused = created.filter(({ word }) => word === 'denied').length;
  const unshared = refused + (await countUnshared(on, about.accountId, leads));
  return { rows: closed, parcels, tally: tallied(about, closed, { platforms, unshared }) };
};

/** An import whose next rows a transaction registers. */
interface PickedImport extends OpenImport {
  readonly rows: number;
  readonly done: number;
  readonly lastLine: number;
  readonly counts: Readonly<Record<string, number>>;
}

// Of an account and mode, only the oldest import is worked on: orders may need the clients of the file before, and what
// one of two uploads of a file registers, the other must find.
const isOldest = `not exists (
  select from import older
  where older.finished_at is null and older.id < i.id and older.account_id = i.account_id and older.is_test = i.is_test
    and older.state in ('pending', 'running'))`;

const findDue = statement<{ id: number }>(
  `select i.id from import i
   where i.finished_at is null and i.state in ('pending', 'running') and i.due_at <= now() and ${isOldest}
     and (select status from account where id = i.account_id) = 'active'
   order by i.due_at limit 20`,
);

// the lock is for an older upload that ends meanwhile
const lockDue = statement<PickedImport>(
  `select id, account_id as "accountId", is_test as "isTest", is_dry_run as "isDryRun", subject, columns, delimiter, reading, digest,
          rows, done, last_line as "lastLine", counts, too_old as "tooOld", money, unshared,
          email_references as "emailReferences", now() as at
   from import i
   where id = $1 and finished_at is null and due_at <= now()
     and case when ${isOldest}
              then pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', 'import', account_id, is_test), 31)) end
   for update skip locked`,
);

const take = async (on: PoolClient): Promise<PickedImport | undefined> => {
  for (const { id } of await findDue(on, [])) {
    const [taken] = await lockDue(on, [id]);
    if (taken) return taken;
  }
  return undefined;
};

const readNext = statement<OpenRow & { outcome: string | null }>(
  `select line, cells, record_id as "claimedId", outcome from import_row
   where import_id = $1 and line > $2 order by line limit $3`,
);

// the range of lines bounds every plan
const closeRows = statement(
  `update import_row r
   set outcome = o.outcome, record_id = o.record_id, message = o.message, dry_run_reference = o.dry_run_reference,
       dry_run_event_id = o.dry_run_event_id
   from unnest($4::int[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[])
     o (line, outcome, record_id, message, dry_run_reference, dry_run_event_id)
   where r.import_id = $1 and r.line between $2 and $3 and r.line = o.line`,
);

/** The next rows. Those that were erased have an outcome. */
const readRows = (on: PoolClient, { id, lastLine }: PickedImport, rowsMax: number) =>
  readNext(on, [id, lastLine, rowsMax]);

/** Saves the outcomes of rows that are in this range of lines. */
const saveOutcomes = (
  on: PoolClient,
  { id }: PickedImport,
  rows: readonly ClosedRow[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<unknown> =>
  closeRows(on, [
    id,
    first,
    last,
    rows.map(({ line }) => line),
    rows.map(({ outcome }) => outcome),
    rows.map((row) => row.id ?? null),
    rows.map(({ message }) => message ?? null),
    rows.map(({ dryRunReference }) => dryRunReference ?? null),
    rows.map(({ dryRunEventId }) => dryRunEventId ?? null),
  ]);

const proceed = statement(
  `with proceeded as (
     update import
     set done = $2, last_line = $3, counts = $4, state = case when $5 then 'done' else 'running' end,
         finished_at = case when $5 then now() end, too_old = $6, money = $7, unshared = $8, email_references = $9, failures = 0,
         due_at = clock_timestamp()
     where id = $1
     returning id, account_id, is_test, state, counts
   ), finished as (
     select * from proceeded where state = 'done'
   ), ${announceFinished('import')}
   select from proceeded`,
);

interface Progress extends Pick<PickedImport, 'done' | 'lastLine' | 'counts'> {
  readonly isFinished: boolean;
  readonly tally: ImportTally;
}

const saveProgress = (on: PoolClient, { id }: PickedImport, progress: Progress): Promise<unknown> => {
  const { done, lastLine, counts, isFinished, tally } = progress;
  const { tooOld, money, unshared, emailReferences } = tally;
  return proceed(on, [id, done, lastLine, counts, isFinished, tooOld, money, unshared, emailReferences]);
};

const noteFailure = failureOf({
  table: 'import',
  isOpen: `state in ('pending', 'running') and finished_at is null`,
  // within about four minutes
  triesMax: 10,
  pauseMaxSeconds: 60,
  givenUp: {
    state: `'failed'`,
    message: `'internal error; rows without an outcome are not registered; give support the id of the import'`,
    finished_at: 'now()',
  },
  announcedAs: 'import',
});

/** What was committed. */
export interface ImportStep extends Pick<OpenImport, 'id' | 'subject' | 'isTest' | 'isDryRun'> {
  /** The rows that have an outcome now. */
  readonly rows: readonly ClosedRow[];
  /** To be announced. */
  readonly parcels: readonly NewParcel[];
  /** Whether all rows of the import have an outcome. */
  readonly isFinished: boolean;
  /** Why the work was given up, if it was: this was the last of several failures. */
  readonly error?: unknown;
}

// A larger slice holds its locks for longer and saves little.
const rowsPerSlice = 200;

const counted = (
  counts: Readonly<Record<string, number>>,
  rows: readonly { outcome: string }[],
): Record<string, number> => {
  const sums: Record<string, number> = { ...counts };
  for (const { outcome } of rows) sums[outcome] = (sums[outcome] ?? 0) + 1;
  return sums;
};

const workOn = async (
  on: PoolClient,
  about: PickedImport,
  rowsMax: number,
  register: RegisterItems,
): Promise<ImportStep> => {
  const { id, subject, isTest, isDryRun, lastLine } = about;
  const found = await readRows(on, about, rowsMax);
  const [first, last] = [found[0]?.line ?? lastLine, found.at(-1)?.line ?? lastLine];
  const open = found.filter(({ outcome }) => outcome === null);
  // by an erasure
  const closed = found.flatMap(({ outcome }) => (outcome === null ? [] : [{ outcome }]));
  const nothing = { rows: [], parcels: [], tally: about };
  const { rows, parcels, tally } = open.length === 0 ? nothing : await registerSlice(on, about, open, register);
  await saveOutcomes(on, about, rows, { first, last });
  const done = about.done + found.length;
  const isFinished = found.length === 0 || done >= about.rows;
  const counts = counted(about.counts, [...rows, ...closed]);
  await saveProgress(on, about, { done, lastLine: last, counts, isFinished, tally });
  return { id, subject, isTest, isDryRun, rows, parcels, isFinished };
};

const refuseAll: RegisterItems = (_on, _mode, items) =>
  Promise.resolve({
    outcomes: items.map(() => ({ outcome: 'refused', message: 'internal error; give support the id of the import' })),
    parcels: [],
  });

/** Halves the slice until a row that fails is alone, and refuses that row. */
const workOnSlice = async (on: PoolClient, about: PickedImport, register: RegisterItems): Promise<ImportStep> => {
  for (let rowsMax = rowsPerSlice; ; rowsMax = Math.floor(rowsMax / 2)) {
    try {
      return await inSavepoint(on, () => workOn(on, about, rowsMax, register));
    } catch (error) {
      if (rowsMax > 1 && (isDataError(error) || isStatementTimeout(error))) continue;
      if (!isDataError(error)) throw error;
      return workOn(on, about, 1, refuseAll);
    }
  }
};

export type ItemRegistrars = Readonly<Record<ImportSubject, RegisterItems>>;

/**
 * Registers the next rows of the open import that waits longest, in one transaction with their outcomes: after a crash,
 * another worker goes on where the last commit ended. Accounts take turns, and workers take imports of different accounts.
 * Undefined if no import can be worked on now. Throws if rows failed and will be tried again.
 */
export const workOnNextImport = async (pool: Pool, register: ItemRegistrars): Promise<ImportStep | undefined> => {
  const worked = await workOnNext(pool, {
    take,
    work: (on, about) => workOnSlice(on, about, register[about.subject]),
    noteFailure,
  });
  if (!worked) return undefined;
  if ('result' in worked) return worked.result;
  const { row, error, isGivenUp } = worked;
  if (!isGivenUp) throw error;
  const { id, subject, isTest, isDryRun } = row;
  return { id, subject, isTest, isDryRun, rows: [], parcels: [], isFinished: true, error };
};

/** What registers the rows of an import: the same as the items of a batch. */
export const itemRegistrars = (referenceKeys: Keys, contacts: ContactCipher): ItemRegistrars => ({
  client: (on, mode, items) => registerClients(on, mode, items.map(withConsent), { referenceKeys, contacts }),
  conversion: (on, mode, items) => registerConversions(on, mode, items.map(withConsent), { referenceKeys, contacts }),
});
