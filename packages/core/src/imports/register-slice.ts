import type { AccountMode, PlatformName } from '@leadback/domain';
import type { NewParcel } from '../delivery/enqueue.ts';
import type { PoolClient } from '@leadback/db';
import { platformsOf } from '../platforms-of.ts';
import { doubtIn, itemOf, referenceColumnOf } from './import-subject.ts';
import { withoutInventedIds } from './invented-ids.ts';
import { findKnownClients } from './known-clients.ts';
import type { OpenImport } from './open-import.ts';
import { findTrials } from './find-trials.ts';
import { countUnshared, type ImportTally, tallied } from './import-tally.ts';
import { tooOldFor } from './too-old.ts';

export interface OpenRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** The client that the row says it is, see `claimedId`. */
  readonly claimedId: number | null;
}

/** The outcome of an item, as the batch endpoints return it. */
export interface ItemOutcome {
  readonly outcome: string;
  readonly id?: number | undefined;
  /** Of a conversion that was created. */
  readonly leadId?: number | undefined;
  readonly message?: string | undefined;
}

/** Registers many items in the transaction of the caller. Returns one outcome per item, in order. */
export type RegisterItems = (
  on: PoolClient,
  mode: AccountMode,
  items: readonly unknown[],
) => Promise<{ readonly outcomes: readonly ItemOutcome[]; readonly parcels: readonly NewParcel[] }>;

/** A row as a body of a single request. */
type Item = Readonly<Record<string, string | number>>;

/** A row with its outcome. */
export interface ClosedRow extends ItemOutcome {
  readonly line: number;
  readonly item: Item;
  /** Of a row that a dry run would register. */
  readonly trialReference?: string | undefined;
  readonly trialEventId?: string | undefined;
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
const tryOut = async (on: PoolClient, about: OpenImport, items: readonly Item[], register: RegisterItems) => {
  const names = {
    references: items.flatMap((item) => referenceIn(item, about) ?? []),
    eventIds: items.flatMap((item) => eventIdIn(item, about) ?? []),
  };
  const earlier = (await findTrials(on, about.id, names)).map((cells) => itemOf(cells, about));
  await on.query('savepoint trial');
  const { outcomes } = await register(on, about, [...earlier, ...items]);
  await on.query('rollback to savepoint trial');
  return { outcomes: withoutInventedIds(outcomes).slice(earlier.length), parcels: [] };
};

export interface RegisteredSlice {
  readonly rows: readonly ClosedRow[];
  readonly parcels: readonly NewParcel[];
  /** Of the import so far. */
  readonly tally: ImportTally;
}

/** Registers rows of an import in the transaction of the caller; a dry run only finds out what would happen. */
export const registerSlice = async (
  on: PoolClient,
  about: OpenImport,
  open: readonly OpenRow[],
  register: RegisterItems,
): Promise<RegisteredSlice> => {
  const { isDryRun, subject } = about;
  const rows = open.map(({ line, cells, claimedId }) => ({ line, claimedId, item: itemOf(cells, about) }));
  const known = await findKnownClients(on, about, rows);
  const fresh: typeof rows = [];
  const closed: ClosedRow[] = [];
  for (const row of rows) {
    const { line, item } = row;
    const id = known.get(line);
    const doubt = doubtIn(item);
    if (id !== undefined) closed.push({ line, item, outcome: 'existing', id });
    else if (doubt !== undefined) closed.push({ line, item, outcome: 'refused', message: doubt });
    else fresh.push(row);
  }
  if (fresh.length === 0) {
    return { rows: closed, parcels: [], tally: tallied(about, closed, { platforms: [], unshared: 0 }) };
  }
  const isTrialOfSales = isDryRun && subject === 'conversion';
  const platforms = isTrialOfSales ? await platformsOf(on, about.accountId) : [];

  const items = fresh.map(({ item }) => item);
  const { outcomes, parcels } = isDryRun ? await tryOut(on, about, items, register) : await register(on, about, items);
  for (const [index, { line, item }] of fresh.entries()) {
    const result = outcomes[index];
    if (!result) throw new Error('fewer outcomes than items');
    const { outcome, id, message } = result;
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
      message: tooOldMessage(skippedBy),
      trialReference: referenceIn(item, about),
      trialEventId: eventIdIn(item, about),
      tooOldFor: skippedBy,
    });
  }
  const created = outcomes.filter(({ outcome }) => outcome === 'created');
  const leads = isTrialOfSales ? created.flatMap(({ leadId }) => leadId ?? []) : [];
  const unshared = await countUnshared(on, about.accountId, leads);
  return { rows: closed, parcels, tally: tallied(about, closed, { platforms, unshared }) };
};
