import type { ConnectionState, Currency, PlatformName } from '@leadback/domain';
import { type EntityManager, type Pool, preparedStatement } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import { z } from 'zod';
import type { Money } from './measures.ts';

/** `delivered`: the platform accepted the event and reported a problem later. */
export type UndeliveredState = 'failed' | 'skipped' | 'delivered';

/** Which of an account's undelivered deliveries. */
export interface UndeliveredFilter {
  readonly connectionId?: number | undefined;
  readonly state?: UndeliveredState | undefined;
  /** See `reason_code` in the database. */
  readonly code?: string | undefined;
}

export interface UndeliveredCounts {
  readonly deliveries: number;
  /** Leads and adjustments are of none. */
  readonly conversions: number;
  /** Of the conversions, as they were registered. */
  readonly money: Money[];
}

export interface UndeliveredGroup extends UndeliveredCounts {
  readonly connectionId: number;
  readonly platform: PlatformName;
  readonly connectionState: ConnectionState;
  readonly state: UndeliveredState;
  readonly code: string;
  /** The newest delivery of the group. */
  readonly lastId: number;
}

/**
 * SQL: the live deliveries f that ended without success: what is counted is also what a retry takes. The first condition
 * is that of their index.
 */
const ended = (account: string, connection: string) => `
  f.account_id = ${account} and f.connection_id = ${connection} and (f.undelivered is not null or f.note is not null)
  and (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) and not f.is_test`;

const codeOf = 'reason_code(f.state, f.reason)';

interface Row extends Omit<UndeliveredGroup, 'money'> {
  usd: string | null;
  ars: string | null;
}

const sums = `
  count(*)::int as deliveries, count(f.conversion_id)::int as conversions,
  sum(v.amount) filter (where v.currency = 'USD') as usd, sum(v.amount) filter (where v.currency = 'ARS') as ars`;

/** SQL: the conversion of a delivery f, by its key. */
const conversionOf = `
  left join lateral (
    select amount, currency from conversion where id = f.conversion_id and account_id + 0 = $1 limit 1) v on true`;

const group = preparedStatement<Row>(
  'group-undelivered',
  `select c.id as "connectionId", c.platform, c.state as "connectionState", f.state, ${codeOf} as code,
          max(f.id) as "lastId", ${sums}
   from (select id, platform, state from platform_connection
         where account_id = $1 and ($2::bigint is null or id = $2) offset 0) c
   cross join lateral (select * from feedback f where ${ended('$1', 'c.id')} offset 0) f
   ${conversionOf}
   where ($3::text is null or f.state = $3) and ($4::text is null or ${codeOf} = $4)
   group by 1, 2, 3, 4, 5 order by deliveries desc, 1, 4, 5`,
);

export const moneyOf = ({ usd, ars }: { readonly usd: string | null; readonly ars: string | null }): Money[] => {
  const each: (readonly [Currency, string | null])[] = [
    ['USD', usd],
    ['ARS', ars],
  ];
  return each.flatMap(([currency, amount]) => (amount === null ? [] : [{ currency, amount }]));
};

/** Returns what ended without success, by connection, state and reason: most deliveries first. Tests are left out. */
export type UndeliveredReader = (scope: AccountScope, filter?: UndeliveredFilter) => Promise<UndeliveredGroup[]>;

export const undeliveredReader =
  (pool: Pool): UndeliveredReader =>
  async ({ accountId }, { connectionId, state, code } = {}) => {
    const rows = await group(pool, [accountId, connectionId ?? null, state ?? null, code ?? null]);
    return rows.map(({ usd, ars, ...counted }) => ({ ...counted, money: moneyOf({ usd, ars }) }));
  };

/** A place among the undelivered deliveries of an account: by connection, then by id. */
export interface UndeliveredPlace {
  readonly connectionId: number;
  readonly id: number;
}

const placesSchema = z.array(z.object({ connectionId: z.coerce.number(), id: z.coerce.number() }));

const next = `
  select c.id as "connectionId", f.id
  from (select id from platform_connection
        where account_id = ? and state = 'active' and id >= ? and (?::bigint is null or id = ?) order by id offset 0) c
  cross join lateral (
    select f.id from feedback f
    where ${ended('?', 'c.id')} and f.id > case when c.id = ? then ? else 0 end and f.id <= ?
      and (?::text is null or f.state = ?) and (?::text is null or ${codeOf} = ?)
    order by f.id limit ?) f
  order by c.id, f.id limit ?`;

/**
 * The next undelivered deliveries of active connections after a place, up to the newest one that counts. For batches: takes
 * the same deliveries as `UndeliveredReader` counts.
 */
export const nextUndelivered = async (
  em: EntityManager,
  accountId: number,
  {
    connectionId = null,
    state = null,
    code = null,
  }: { [Name in keyof UndeliveredFilter]: UndeliveredFilter[Name] | null },
  { after, lastId, limit }: { readonly after: UndeliveredPlace; readonly lastId: number; readonly limit: number },
): Promise<UndeliveredPlace[]> => {
  const [from, id] = [after.connectionId, after.id];
  const rows = await em.execute(next, [
    ...[accountId, from, connectionId, connectionId],
    ...[accountId, from, id, lastId, state, state, code, code, limit, limit],
  ]);
  return placesSchema.parse(rows);
};
