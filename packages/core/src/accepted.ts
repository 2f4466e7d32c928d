import type { AccountId, AccountMode } from '@leadback/domain';
import { type Pool, statement, transaction } from '@leadback/db';
import { audit } from './audit.ts';

/** What partners register; each has a table and ids of its own. */
type RegisteredKind = 'lead' | 'client' | 'conversion' | 'adjustment';

/** What a partner got an id of. */
export interface Accepted {
  readonly kind: RegisteredKind;
  readonly accountId: AccountId;
  readonly id: number;
  readonly atMs: number;
}

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

const missingFrom = (table: string) =>
  statement<{ id: number }>(
    `select id from unnest($1::bigint[]) given (id) where not exists (select from ${table} where id = given.id)`,
  );

const statements: Readonly<Record<RegisteredKind, ReturnType<typeof missingFrom>>> = {
  lead: missingFrom('lead'),
  client: missingFrom('client'),
  conversion: missingFrom('conversion'),
  adjustment: missingFrom('conversion_adjustment'),
};

// within the timeout of a statement
const idsPerStatement = 5_000;

/** Those that are not in the database. */
const findMissing = async (pool: Pool, accepted: readonly Accepted[]): Promise<Accepted[]> => {
  const missing: Accepted[] = [];
  for (const [kind, ofKind] of Map.groupBy(accepted, (one) => one.kind)) {
    for (let start = 0; start < ofKind.length; start += idsPerStatement) {
      const some = ofKind.slice(start, start + idsPerStatement);
      const ids = new Set((await statements[kind](pool, [some.map(({ id }) => id)])).map(({ id }) => id));
      missing.push(...some.filter(({ id }) => ids.has(id)));
    }
  }
  return missing;
};

/** `401-531, 540`: of ids in any order, each once. */
export const idRanges = (ids: Iterable<number>): string => {
  const ranges: { first: number; last: number }[] = [];
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range?.last === id - 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
};

const actor = 'leadback';

const detailsOf = (lost: readonly Accepted[]) => {
  const idsOf = (kind: Accepted['kind']) => idRanges(lost.filter((one) => one.kind === kind).map(({ id }) => id));
  const times = lost.map(({ atMs }) => atMs).toSorted((a, b) => a - b);
  return {
    count: lost.length,
    leads: idsOf('lead'),
    clients: idsOf('client'),
    conversions: idsOf('conversion'),
    adjustments: idsOf('adjustment'),
    from: new Date(times[0] ?? 0),
    to: new Date(times.at(-1) ?? 0),
  };
};

/**
 * After a promotion to `server`: looks for what was accepted before, and adds what is missing to the audit log, for
 * `doctor`. Returns how many are missing.
 */
export const compareAccepted = async (pool: Pool, accepted: readonly Accepted[], server: string): Promise<number> => {
  const lost = await findMissing(pool, accepted);
  await transaction(pool, async (on) => {
    for (const [accountId, ofAccount] of Map.groupBy(lost, (one) => one.accountId)) {
      const details = { server, ...detailsOf(ofAccount) };
      await audit(on, { actor, action: 'registration.lose', accountId, target: `account ${accountId}`, details });
    }
    const details = { server, compared: accepted.length, lost: lost.length };
    await audit(on, { actor, action: 'registration.compare', target: 'database', details });
  });
  return lost.length;
};

const read = statement<{ server: string | null }>('select server from installation');

/** The system and the timeline of PostgreSQL as of the last connection of an app: another one after a promotion. */
export const readServer = async (pool: Pool): Promise<string | undefined> =>
  (await read(pool, []))[0]?.server ?? undefined;
