import {
  type AccountMode,
  type ConnectionState,
  type Currency,
  currencies,
  decimalIn,
  type DeliveryState,
  inMinorUnits,
  type PlatformName,
  platformNamed,
} from '@leadback/domain';
import type { WaitReason } from '@leadback/domain/reasons';
import { type Queryable, statement } from '@leadback/db';
import { isOfPlatform, totalledMax } from '../delivery/undelivered.ts';
import { shownLabel } from '../delivery/webhook-deliveries.ts';
import { zoneOf } from '../accounts/days.ts';
import type { Money } from '../metrics/overview.ts';
import { isOnDays } from './quality.ts';

/**
 * How far conversions come on their way to a platform. eligible: there is something to tell the platform, and it may be told.
 * sent: the platform answered, or will never be asked again. processed: the platform reports that it used them.
 */
export const funnelSteps = ['registered', 'eligible', 'sent', 'accepted', 'processed'] as const;
export type FunnelStep = (typeof funnelSteps)[number];

/** Why conversions do not come further, beside the codes of the reasons of deliveries. */
export const funnelReasons = {
  waiting: 'waiting',
  paused: 'connection_paused',
  needsAttention: 'connection_needs_attention',
  notReportedYet: 'not_reported_yet',
  notReported: 'not_reported',
} as const satisfies Readonly<Record<string, WaitReason>>;

interface FunnelCount {
  readonly conversions: number;
  /** As they were registered. */
  readonly money: Money[];
}

/** Conversions that did not reach a step, for one reason. */
interface FunnelLoss extends FunnelCount {
  readonly step: Exclude<FunnelStep, 'registered'>;
  /** A code, or `other`. */
  readonly reason: string;
}

/** `processed`: null if the platform does not report it. */
export interface Funnel extends Readonly<Record<Exclude<FunnelStep, 'processed'>, FunnelCount>> {
  readonly processed: FunnelCount | null;
  /** Step by step, most conversions first. */
  readonly losses: FunnelLoss[];
}

export interface ConnectionFunnel {
  readonly connectionId: number;
  readonly platform: PlatformName;
  /** What it is called, and where it leads. */
  readonly label: string;
  readonly destination: string;
  /** Then it is told of nothing more; it is left out if it has no conversions in these days. */
  readonly isConnectionDeleted: boolean;
  readonly connectionState: ConnectionState;
  /** Whether more of its deliveries wait than are counted here. */
  readonly isPartial: boolean;
  readonly total: Funnel;
  /** Days of the conversions, of the account's, `YYYY-MM-DD`, that have any; newest first. */
  readonly days: readonly ({ readonly day: string } & Funnel)[];
}

/** Deliveries of one connection and day that came equally far. */
interface Row {
  connectionId: number;
  platform: PlatformName;
  label: string;
  destination: string;
  isConnectionDeleted: boolean;
  connectionState: ConnectionState;
  isPartial: boolean;
  /** Null: the connection has no conversions in these days. */
  day: string | null;
  state: DeliveryState;
  reason: string;
  verdict: '' | 'used' | 'unused';
  currency: Currency;
  deliveries: number;
  amount: string;
}

// What is closed is counted already. What waits is read from the deliveries, of as many as the account may read, because counting
// it would slow down whatever registers conversions. Plan: the counts of the days by their keys, each delivery and conversion by its
// key; at most 10,000 of each, however many there are.
const read = statement<Row>(
  `with connection as (
     select id, platform, ${shownLabel('own')} as label, destination, deleted_at is not null as is_deleted, state,
            $2::int / least(count(*) over (), 20) as rows_max
     from platform_connection own where account_id = $1 and ${isOfPlatform} and ($5::bigint is null or id = $5)
   ), waiting as (
     select c.id as connection_id, day_of(f.occurred_at, ${zoneOf('$1')}) as day, 'pending' as state,
            case when f.reason is null then '' else reason_code(f.state, f.reason) end as reason, '' as verdict, v.currency, 1 as deliveries, v.amount
     from connection c
     cross join lateral (
       select unnest(delivery_ids) as id from (
         select delivery_ids from delivery_due where connection_id = c.id and not is_test order by not_before) d
       limit c.rows_max) due
     cross join lateral (select * from delivery where id = due.id and account_id + 0 = $1 limit 1) f
     cross join lateral (
       select currency, amount from conversion where id = f.conversion_id and account_id + 0 = $1 limit 1) v
     where f.state = 'pending' and day_of(f.occurred_at, ${zoneOf('$1')}) between $3::date and $4::date
   ), counted as (
     select connection_id, day, state, reason, verdict, currency, sum(deliveries)::bigint as deliveries, sum(amount) as amount
     from (
       select connection_id, day, state, reason, verdict, currency, deliveries, amount from quality_day
       where account_id = $1 and day between $3::date and $4::date
       union all
       select connection_id, day_of(at, ${zoneOf('$1')}), state, reason, verdict, currency, change, amount from quality_increment
       where account_id = $1 and ${isOnDays({ from: '$3', to: '$4' })}
       union all
       select * from waiting
     ) every
     group by 1, 2, 3, 4, 5, 6 having sum(deliveries) > 0
   )
   select c.id as "connectionId", c.platform, c.label, c.destination, c.is_deleted as "isConnectionDeleted",
          c.state as "connectionState", to_char(n.day, 'YYYY-MM-DD') as day, n.state,
          n.reason, n.verdict, n.currency, n.deliveries, n.amount::text as amount,
          (select coalesce(sum(cardinality(delivery_ids)), 0) > c.rows_max
           from delivery_due where connection_id = c.id and not is_test) as "isPartial"
   from connection c left join counted n on n.connection_id = c.id
   where not c.is_deleted or n.connection_id is not null
   order by c.id, n.day desc`,
);

interface Reached {
  readonly step: FunnelStep;
  /** Why no further; undefined: it is the last step. */
  readonly reason: string | undefined;
}

const waitingReasons: Readonly<Record<ConnectionState, string | undefined>> = {
  active: undefined,
  paused: funnelReasons.paused,
  needs_attention: funnelReasons.needsAttention,
};

const reachedBy = ({ platform, connectionState, state, reason, verdict }: Row): Reached => {
  if (state === 'pending') {
    return { step: 'eligible', reason: waitingReasons[connectionState] ?? (reason || funnelReasons.waiting) };
  }
  if (state === 'delivered') {
    if (verdict === 'used') return { step: 'processed', reason: undefined };
    if (platformNamed(platform)?.reportsUse !== true) return { step: 'accepted', reason: undefined };
    const { notReported, notReportedYet } = funnelReasons;
    return { step: 'accepted', reason: verdict === 'unused' ? notReported : notReportedYet };
  }
  // it was accepted at first
  if (verdict === 'unused') return { step: 'accepted', reason };
  return { step: state === 'skipped' ? 'registered' : 'sent', reason };
};

const countOf = (rows: readonly Row[]): FunnelCount => {
  const sums = new Map<Currency, bigint>();
  let conversions = 0;
  for (const { currency, deliveries, amount } of rows) {
    conversions += deliveries;
    sums.set(currency, (sums.get(currency) ?? 0n) + inMinorUnits(amount, currency));
  }
  const money = currencies.flatMap((currency) => {
    const sum = sums.get(currency);
    return sum === undefined ? [] : [{ currency, amount: decimalIn(currency, sum) }];
  });
  return { conversions, money };
};

const reasonsMax = 10;

/** Of one step, most conversions first; what is beyond the bound is `other`. */
const lossesAt = (step: FunnelLoss['step'], lost: readonly (Reached & { readonly row: Row })[]): FunnelLoss[] => {
  const alike = [...Map.groupBy(lost, ({ reason }) => reason ?? 'other')].map(([reason, group]) => {
    const rows = group.map(({ row }) => row);
    return { reason, rows, conversions: countOf(rows).conversions };
  });
  const named = alike
    .filter(({ reason }) => reason !== 'other')
    .toSorted((one, other) => other.conversions - one.conversions || one.reason.localeCompare(other.reason));
  const others = [...alike.filter(({ reason }) => reason === 'other'), ...named.slice(reasonsMax)];
  const losses = named.slice(0, reasonsMax).map(({ reason, rows }) => ({ step, reason, ...countOf(rows) }));
  const rest = others.flatMap(({ rows }) => rows);
  return rest.length === 0 ? losses : [...losses, { step, reason: 'other', ...countOf(rest) }];
};

const funnelOf = (rows: readonly Row[], platform: PlatformName): Funnel => {
  const reached = rows.map((row) => ({ row, ...reachedBy(row) }));
  const placeOf = (step: FunnelStep) => funnelSteps.indexOf(step);
  const from = (step: FunnelStep) =>
    countOf(reached.flatMap((one) => (placeOf(one.step) >= placeOf(step) ? [one.row] : [])));
  const lost = reached.filter(({ reason }) => reason !== undefined);
  return {
    registered: from('registered'),
    eligible: from('eligible'),
    sent: from('sent'),
    accepted: from('accepted'),
    processed: platformNamed(platform)?.reportsUse === true ? from('processed') : null,
    losses: funnelSteps.flatMap((step, place) =>
      step === 'registered'
        ? []
        : lossesAt(
            step,
            lost.filter((one) => placeOf(one.step) === place - 1),
          ),
    ),
  };
};

interface Wanted {
  readonly from: string;
  readonly to: string;
  readonly connectionId?: number | undefined;
}

/**
 * How far the conversions of an account came, for each of its connections to platforms; tests are not counted. `from` and `to`: the days
 * of the conversions, both inclusive. One conversion counts once for each connection; leads and adjustments are not counted.
 */
export const readFunnels = async (
  on: Queryable,
  { accountId, isTest }: AccountMode,
  { from, to, connectionId }: Wanted,
): Promise<ConnectionFunnel[]> => {
  const rows = isTest ? [] : await read(on, [accountId, totalledMax, from, to, connectionId ?? null]);
  return [...Map.groupBy(rows, (row) => row.connectionId).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { platform, label, destination, isConnectionDeleted, connectionState, isPartial } = first;
    const days = Map.groupBy(
      own.filter(({ day }) => day !== null),
      ({ day }) => day ?? '',
    );
    return [
      {
        connectionId: first.connectionId,
        platform,
        label,
        destination,
        isConnectionDeleted,
        connectionState,
        isPartial,
        total: funnelOf([...days.values()].flat(), platform),
        days: [...days].map(([day, ofDay]) => ({ day, ...funnelOf(ofDay, platform) })),
      },
    ];
  });
};
