import { type Pool, statement, transaction } from '@leadback/db';
import { type Currency, eventAgeMaxMs, webhookName } from '@leadback/domain';
import { timesOf } from '../accounts/days.ts';
import { audit } from '../audit.ts';
import { furtherLeads } from '../leads/attribution.ts';
import { enqueuedAdjustmentsTo, enqueuedSalesTo } from '../delivery/enqueue.ts';
import { addMoney, type MoneySums } from '../imports/money-sums.ts';
import { ActionRefused } from '../people/access.ts';
import { lockConnection, type WantedConnection } from './store.ts';

/** Live sales that occurred in a range. Their corrections follow them, and are not counted. */
export interface Backfilled {
  readonly conversions: number;
  /** Had a delivery to the connection before. */
  readonly already: number;
  /** The platform takes no events that are so old. */
  readonly tooOld: number;
  /** Taken back, so that there is nothing to tell. */
  readonly retracted: number;
  /** Got a delivery; in a dry run: would get one. */
  readonly queued: number;
  /** What these are worth now. */
  readonly amounts: MoneySums;
}

export const nothingBackfilled: Backfilled = {
  conversions: 0,
  already: 0,
  tooOld: 0,
  retracted: 0,
  queued: 0,
  amounts: {},
};

/** The last sale of a part, in the order in which they occurred. */
export interface BackfillCursor {
  /** ISO 8601 with microseconds. */
  readonly soldAt: string;
  readonly id: number;
}

interface PartToBackfill extends WantedConnection {
  readonly actor: string;
  /** A day of the account, or a time in ISO 8601. Default: the first sale. */
  readonly from?: string | undefined;
  /** A day of the account, or a time in ISO 8601, which is not in the range. Default: all that is registered. */
  readonly to?: string | undefined;
  readonly isDryRun: boolean;
  /** Where the part before ended. */
  readonly after?: BackfillCursor | undefined;
}

// a tenth of a second: a worker that notes a rejection of the connection waits for so long
const salesPerPart = 500;

/**
 * SQL: the next sales of an account ($2) after a cursor ($3, $4) and before a time ($5), and what each of them needs of the
 * connection $1, whose platform takes events of an age ($6).
 */
const part = `part as materialized (
     select v.id, v.account_id, v.client_id, v.lead_id, v.landing_page_id, v.campaign, v.currency, v.sold_at,
            coalesce(last.amount, v.amount) as amount,
            case when exists (select from delivery where conversion_id = v.id and connection_id = $1) then 'already'
                 when last.kind = 'retract' then 'retracted'
                 when v.sold_at < now() - $6::interval then 'tooOld'
                 else 'queued' end as outcome
     from (
       select *, coalesce(occurred_at, created_at) as sold_at from conversion
       where account_id = $2 and not is_test and coalesce(occurred_at, created_at) < $5::timestamptz
         and (coalesce(occurred_at, created_at), id) > ($3::timestamptz, $4::bigint)
       order by coalesce(occurred_at, created_at), id limit ${salesPerPart}
     ) v
     left join lateral (
       select kind, amount from conversion_adjustment where conversion_id = v.id order by id desc limit 1) last on true
   )`;

interface Sale {
  readonly id: number;
  readonly outcome: 'already' | 'retracted' | 'tooOld' | 'queued';
  readonly currency: Currency;
  readonly amount: string;
  readonly soldAt: string;
}

const ofPart = `select id, outcome, currency, amount, to_char(sold_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "soldAt"
   from part order by sold_at, id`;

const lookAt = statement<Sale>(`with ${part} ${ofPart}`);

const queue = statement<Sale>(
  `with ${part}, created as (
     select part.*, sold_at as occurred_at, false as is_test, null::text as trace_parent,
            case when cardinality(further.ids) > 0 then further.ids || (
              select lead_id from client where id = part.client_id and account_id + 0 = part.account_id) end as lead_ids
     from part
     cross join lateral (select array(${furtherLeads('part.client_id', 'part.account_id')}) as ids offset 0) further
     where outcome = 'queued'
   ), told as (
     update conversion set is_untold = false
     where id = any(array(select id from created)) and account_id + 0 = $2 and is_untold
   ), ${enqueuedSalesTo('select id, platform from platform_connection where id = $1')}
   ${ofPart}`,
);

const queueAdjustments = statement(
  `with created as (
     select id, account_id, conversion_id, is_test, occurred_at, null::text as trace_parent
     from conversion_adjustment where conversion_id = any($3::bigint[]) and account_id = $2
   ), ${enqueuedAdjustmentsTo('its.connection_id = $1')}
   select count(*) from placed`,
);

const sumOf = (sales: readonly Sale[], sums: Backfilled): Backfilled => {
  const count = (outcome: Sale['outcome']) => sales.filter((sale) => sale.outcome === outcome).length;
  return {
    conversions: sums.conversions + sales.length,
    already: sums.already + count('already'),
    tooOld: sums.tooOld + count('tooOld'),
    retracted: sums.retracted + count('retracted'),
    queued: sums.queued + count('queued'),
    amounts: addMoney(
      sums.amounts,
      sales.filter(({ outcome }) => outcome === 'queued'),
    ),
  };
};

/** The sums after a part; `next`: undefined after the last one. */
interface BackfilledPart {
  readonly sums: Backfilled;
  readonly next: BackfillCursor | undefined;
}

/**
 * Tells a connection of the next sales that it was not told of, with their corrections, and adds them to the sums: those that were
 * registered before it was created. A sale that has a delivery to it is left alone, so that this may be interrupted, run again and run
 * twice at once. A dry run changes nothing. Throws `ActionRefused` if there is no such connection, or it is told of no sales.
 */
export const backfillPart = (
  pool: Pool,
  { actor, from: first, to: last, isDryRun, after, ...wanted }: PartToBackfill,
  sums: Backfilled,
): Promise<BackfilledPart> =>
  transaction(pool, async (tx) => {
    const { id, accountId, platform, eventKinds } = await lockConnection(tx, wanted);
    if (platform === webhookName || !eventKinds.includes('conversion')) {
      throw new ActionRefused('invalid', `connection ${id} is not told of conversions`);
    }
    const { from = '-infinity', until = 'infinity' } = await timesOf(tx, accountId, { from: first, to: last });
    const cursor = after ?? { soldAt: from, id: 0 };
    const values = [id, accountId, cursor.soldAt, cursor.id, until, `${eventAgeMaxMs(platform)} milliseconds`];
    const sales = await (isDryRun ? lookAt : queue)(tx, values);
    const queued = sales.flatMap((sale) => (sale.outcome === 'queued' ? sale.id : []));
    if (!isDryRun && queued.length > 0) await queueAdjustments(tx, [id, accountId, queued]);
    if (!isDryRun && after === undefined) {
      const details = { from, until };
      await audit(tx, { actor, action: 'connection.backfill', accountId, target: `connection ${id}`, details });
    }
    const end = sales.length < salesPerPart ? undefined : sales.at(-1);
    return { sums: sumOf(sales, sums), next: end && { soldAt: end.soldAt, id: end.id } };
  });
