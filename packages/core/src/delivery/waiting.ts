import {
  type AccountId,
  type AccountMode,
  type ConnectionState,
  eventAgeMaxMs,
  type PlatformName,
  platformNames,
} from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import type { Money } from '../metrics/overview.ts';
import { connectionsFor } from './enqueue.ts';
import { boundedConnections, isOfPlatform, moneyOfSums, totalledMax, type UndeliveredCounts } from './undelivered.ts';

interface WaitingDeliveries extends UndeliveredCounts {
  readonly connectionId: number;
  readonly platform: PlatformName;
  readonly label: string;
  readonly destination: string;
  /** Whether conversions and money are those of the oldest deliveries alone. */
  readonly isPartial: boolean;
}

/** A connection whose deliveries wait until a person acts. */
export interface HeldConnection extends WaitingDeliveries {
  readonly state: Exclude<ConnectionState, 'active'>;
  readonly since: Date;
  /** Why the platform rejects it, in its words; null: it is paused. */
  readonly reason: string | null;
  /** When the oldest conversion that waits occurred; null: none waits. */
  readonly oldestAt: Date | null;
}

// Parcels tell how many wait; what they are worth is read from the deliveries, so only of so many.
const waitingOf = (connections: string, columns: string, condition: string) =>
  `select c.id as "connectionId", c.platform, c.label, c.destination, ${columns} parcels.deliveries, worth.conversions, worth.money,
          worth.summed >= c.rows_max as "isPartial"
   from ${boundedConnections(connections)}
   cross join lateral (
     select coalesce(sum(cardinality(delivery_ids)), 0)::int as deliveries, min(oldest_at) as oldest_at
     from delivery_due where connection_id = c.id and account_id = $1 and is_test = $3
   ) parcels
   cross join lateral (
     select coalesce(sum(counted), 0) as summed, coalesce(sum(of_conversions), 0)::int as conversions, ${moneyOfSums} as money
     from (
     select v.currency, count(*) as counted, count(v.amount) as of_conversions, sum(v.amount) as amount
     from (select unnest(delivery_ids) as id from (
             select delivery_ids from delivery_due where connection_id = c.id and account_id = $1 and is_test = $3
             order by not_before) d limit c.rows_max) waiting
     join delivery f on f.id = waiting.id and f.account_id = $1
     left join conversion v on v.id = f.conversion_id and v.account_id = $1
     group by 1) by_currency
   ) worth
   where ${condition} order by parcels.deliveries desc, c.id`;

const onTheirWay = statement<WaitingDeliveries>(waitingOf(`state = 'active'`, '', 'parcels.deliveries > 0'));

/** The live deliveries that are sent without anybody's help, by connection. */
export const readOnTheirWay = (
  on: Queryable,
  { accountId }: Pick<AccountMode, 'accountId'>,
): Promise<WaitingDeliveries[]> => onTheirWay(on, [accountId, totalledMax, false]);

const held = statement<HeldConnection>(
  waitingOf(
    `state <> 'active'`,
    'c.state, c.state_since as since, c.state_reason as reason, parcels.oldest_at as "oldestAt",',
    `(c.state = 'needs_attention' or parcels.deliveries > 0)`,
  ),
);

/** Sales that no connection took. */
export interface UntoldSales {
  readonly conversions: number;
  readonly money: Money[];
  /** When the oldest occurred; null: there are none. */
  readonly oldestAt: Date | null;
  /** Whether there are more: the figures are those of the newest. */
  readonly isPartial: boolean;
}

// what was taken back needs no report
const untold = statement<UntoldSales>(
  `select coalesce(sum(counted), 0)::int as conversions, ${moneyOfSums} as money, min(oldest_at) as "oldestAt",
          coalesce(max(rows_read), 0) >= $4 as "isPartial"
   from (
     select v.currency, count(*) as counted, sum(coalesce(last.amount, v.amount)) as amount, min(v.sold_at) as oldest_at,
            max(v.rows_read) as rows_read
     from (
       select *, coalesce(occurred_at, created_at) as sold_at, row_number() over () as rows_read from conversion
       where account_id = $1 and is_untold
         and coalesce(occurred_at, created_at) >= greatest($2::timestamptz, now() - $5::interval)
         and coalesce(occurred_at, created_at) < $3::timestamptz
       order by coalesce(occurred_at, created_at) desc limit $4
     ) v
     left join lateral (
       select kind, amount from conversion_adjustment where conversion_id = v.id and account_id = $1
       order by id desc limit 1) last on true
     where last.kind is distinct from 'retract'
     group by 1) by_currency`,
);

interface SalesRange {
  /** ISO 8601. */
  readonly from?: string | undefined;
  /** ISO 8601, not in the range. */
  readonly until?: string | undefined;
  /** How long ago they may have occurred. */
  readonly ageMaxMs?: number | undefined;
  readonly max?: number | undefined;
}

/** The live sales of a range of time that no connection took, without those that were taken back. */
export const readUntold = async (
  on: Queryable,
  { accountId }: Pick<AccountMode, 'accountId'>,
  { from = '-infinity', until = 'infinity', ageMaxMs, max = totalledMax }: SalesRange,
): Promise<UntoldSales> => {
  const age = ageMaxMs === undefined ? null : `${ageMaxMs} milliseconds`;
  const [sums] = await untold(on, [accountId, from, until, max, age]);
  if (!sums) throw new Error('a sum returned no row');
  return sums;
};

const connectionsForSales = statement<{ id: number; platform: PlatformName }>(
  `${connectionsFor('conversion', '$1')} order by id`,
);

/** What waits for a person: nobody else sends it. */
export interface Attention {
  /** Of connections that are rejected, or are paused while deliveries wait: those with most deliveries first. */
  readonly connections: readonly HeldConnection[];
  /** Of those that a platform still takes. Of tests, none. */
  readonly untold: UntoldSales & {
    /** The connections that can be told of them. */
    readonly connectionIds: readonly number[];
  };
}

const nothingUntold: Attention['untold'] = {
  conversions: 0,
  money: [],
  oldestAt: null,
  isPartial: false,
  connectionIds: [],
};

/**
 * The one rule for "waits for a person": a connection that its platform rejects; one that is paused, if deliveries wait for it; and
 * sales that no connection took, as long as a platform takes them.
 */
export const readAttention = async (
  on: Queryable,
  { accountId, isTest }: AccountMode,
  max = totalledMax,
): Promise<Attention> => {
  const connections = await held(on, [accountId, max, isTest]);
  if (isTest) return { connections, untold: nothingUntold };
  const takers = await connectionsForSales(on, [accountId]);
  const platforms = takers.length > 0 ? takers.map(({ platform }) => platform) : platformNames;
  const ageMaxMs = Math.max(...platforms.map(eventAgeMaxMs));
  const untoldSales = await readUntold(on, { accountId }, { ageMaxMs, max });
  return { connections, untold: { ...untoldSales, connectionIds: takers.map(({ id }) => id) } };
};

const accountsWaiting = statement<{ accountId: AccountId; accounts: number }>(
  `select account_id as "accountId", (count(*) over ())::int as accounts from (
     select account_id from platform_connection
     where state = 'needs_attention' and ${isOfPlatform} and deleted_at is null
     union
     select c.account_id from platform_connection c
     where c.state = 'paused' and c.${isOfPlatform} and c.deleted_at is null
       and exists (select from delivery_due d where d.connection_id = c.id and not d.is_test)
     union
     select account_id from conversion
     where is_untold and coalesce(occurred_at, created_at) >= now() - $1::interval
   ) waiting order by 1 limit $2`,
);

/** The accounts in which something may wait for a person, the first `max` of them; what it is, `readAttention` says. */
export const findAccountsWaiting = async (
  on: Queryable,
  max: number,
): Promise<{ readonly accountIds: readonly AccountId[]; readonly others: number }> => {
  const rows = await accountsWaiting(on, [`${Math.max(...platformNames.map(eventAgeMaxMs))} milliseconds`, max]);
  const accountIds = rows.map(({ accountId }) => accountId);
  return { accountIds, others: (rows[0]?.accounts ?? 0) - accountIds.length };
};

interface Pending {
  readonly platform: PlatformName;
  /** Deliveries that are not closed. */
  readonly pending: number;
  /** When the oldest of their conversions occurred; null: nothing is pending. */
  readonly oldestPendingAt: Date | null;
}

const pendingByPlatform = statement<Pending>(
  `select c.platform, coalesce(sum(cardinality(d.delivery_ids)), 0)::int as pending, min(d.oldest_at) as "oldestPendingAt"
   from platform_connection c
   left join delivery_due d on d.connection_id = c.id and d.account_id = $1 and d.is_test = $2
   where c.account_id = $1 and c.${isOfPlatform} and c.deleted_at is null
   group by 1`,
);

/** What is pending now at each platform to which an account has a connection. */
export const readPending = (on: Queryable, { accountId, isTest }: AccountMode): Promise<Pending[]> =>
  pendingByPlatform(on, [accountId, isTest]);
