import type { ReconciliationOutcome } from '@leadback/domain';
import { statement, type PoolClient } from '@leadback/db';
import { byReference } from '../registering.ts';
import { amountNow, isRetracted } from './rows.ts';
import { addedUp, withMoney, type OpenReconciliation, type WorkedOff } from './state.ts';

const ofReconciliation = { accountId: '$2', isTest: '$3' } as const;

/** SQL: the conversion with a reference, as `v`, of the account $2 in the mode $3; no row if there is none. */
const conversionByReference = (reference: string, columns: string): string => `
  ${byReference({ table: 'conversion', as: 'v', columns, ...ofReconciliation, reference })}
  limit 1`;

const clientByReference = byReference({
  table: 'client',
  as: 'c',
  columns: 'true as is_known',
  ...ofReconciliation,
  reference: 'r.client_external_reference',
});

// `between`, because several indexes begin with the account
const clientsByEmail = [
  `(select true from client c
   where not $3 and c.account_id = $2 and c.email_hash between r.email_hash and r.email_hash
   order by c.email_hash desc, c.id desc limit 1)`,
  `(select true from client c
   where $3 and c.account_id = $2 and c.test_email_hash between r.email_hash and r.email_hash
   order by c.test_email_hash desc, c.id desc limit 1)`,
];

/** SQL: one row if registering the row `r` would find a client of the account $2 in the mode $3. */
const clientOfRow = `
  ${[clientByReference, ...clientsByEmail].join(`
  union all
  `)}
  limit 1`;

interface Compared {
  outcome: ReconciliationOutcome;
  currency: string | null;
  rows: number;
  amount: string | null;
  undelivered: number;
  undelivered_amount: string | null;
}

/**
 * Compares the rows with numbers above $4 and up to $5 of the reconciliation $1, and returns how many have each
 * outcome and currency, and their amounts.
 * One row after the other, without a join: there is no plan that could read more than the entries of each row.
 */
const compareRows = statement<Compared>(
  `with compared as (
     update reconciliation_row r
     set (conversion_id, undelivered, undelivered_in, outcome) = (
       select found.id, coalesce(late.platforms, '{}'), case when late.platforms is not null then r.reconciliation_id end,
              case when earlier.is_repeated then 'duplicateInList'
                   when found.id is null and client.is_known then 'missing'
                   when found.id is null then 'missingWithoutClient'
                   when found.currency <> r.currency then 'currencyDiffers'
                   when found.amount <> r.amount then 'amountDiffers'
                   else 'matched' end
       from (select) one
       left join lateral (
         select true as is_repeated from reconciliation_row e
         where e.reconciliation_id + 0 = $1 and e.external_reference between r.external_reference and r.external_reference
           and not e.is_refused and e.number < r.number
         order by e.external_reference, e.is_refused, e.number limit 1
       ) earlier on true
       left join lateral (
         ${conversionByReference('r.external_reference', `v.id, v.currency, ${amountNow} as amount`)}
       ) found on true
       left join lateral (
         select * from (${clientOfRow}) any_client where found.id is null
       ) client on true
       left join lateral (
         select array_agg(distinct p.platform order by p.platform) as platforms
         from delivery f
         join platform_connection p on p.id = f.connection_id and p.account_id = f.account_id and p.deleted_at is null
         where f.conversion_id = found.id and f.account_id = $2 and f.state <> 'delivered' and earlier.is_repeated is null
           and found.currency = r.currency and found.amount = r.amount
       ) late on true
     )
     where r.reconciliation_id = $1 and r.number > $4 and r.number <= $5 and r.account_id = $2 and not r.is_refused
     returning r.outcome, r.undelivered, r.amount, r.currency
   )
   select outcome, currency, count(*) as rows, sum(amount) as amount,
          count(*) filter (where undelivered <> '{}') as undelivered,
          sum(amount) filter (where undelivered <> '{}') as undelivered_amount
   from compared group by outcome, currency`,
);

/** What the conversions are worth that have another amount than the rows with these numbers. */
const sumRegistered = statement<{ currency: string; amount: string }>(
  `select v.currency, sum(${amountNow}) as amount
   from reconciliation_row r join conversion v on v.id = r.conversion_id and v.account_id = r.account_id
   where r.reconciliation_id = $1 and r.account_id = $2 and r.number > $3 and r.number <= $4 and r.outcome = 'amountDiffers'
   group by v.currency`,
);

interface Walked {
  /** Null: there was none. With microseconds, which a Date would lose. */
  last_at: string | null;
  last_id: number | null;
  walked: number;
  extra: number;
  /** Of the extra ones, by currency. */
  amounts: { currency: string; amount: string }[];
}

const occurredAt = 'coalesce(v.occurred_at, v.created_at)';

/**
 * Looks for the conversions of the account $2 in the mode $3 that occurred before $6, the first $7 after the one with
 * the time $4 and the id $5, in the list of the reconciliation $1; adds those that are not in it as rows with numbers
 * above $8, unless they were cancelled.
 */
const walkConversions = statement<Walked>(
  `with walked as materialized (
     select v.id, ${occurredAt} as at, coalesce(v.external_reference, v.test_reference) as reference,
            ${amountNow} as amount, v.currency, ${isRetracted} as is_retracted
     from conversion v
     where v.account_id = $2 and v.is_test = $3 and ${occurredAt} < $6
       and (${occurredAt}, v.id) > ($4::timestamptz, $5::bigint)
     order by ${occurredAt}, v.id limit $7
   ), extra as (
     insert into reconciliation_row (reconciliation_id, account_id, number, external_reference, amount, currency,
                                     occurred_at, conversion_id, outcome)
     select $1, $2, $8 + row_number() over (order by w.at, w.id), w.reference, w.amount, w.currency, w.at, w.id, 'extra'
     from walked w
     left join lateral (
       select true as is_listed from reconciliation_row r
       where r.reconciliation_id + 0 = $1 and r.external_reference between w.reference and w.reference
       order by r.external_reference limit 1
     ) list on true
     where list.is_listed is null and not w.is_retracted
     returning amount, currency
   )
   select last.at::text as last_at, last.id as last_id, (select count(*) from walked) as walked,
          (select count(*) from extra) as extra,
          (select coalesce(json_agg(s), '[]') from (
             select currency, sum(amount)::text as amount from extra group by currency) s) as amounts
   from (select) one
   left join lateral (select w.at, w.id from walked w order by w.at desc, w.id desc limit 1) last on true`,
);

// a quarter of a second each, of the 2.5 s that a statement may take
const rowsMax = 2_000;
const conversionsMax = 5_000;

/** Compares the next rows of the list. */
export const compareSlice = async (on: PoolClient, work: OpenReconciliation): Promise<WorkedOff> => {
  const { id, mode, compared, rows } = work;
  const last = Math.min(rows, compared + rowsMax);
  // or a plan made while the tables are small would read all clients of the account by whichever index is the smallest, and
  // sort them: each lookup has one index that needs no sorting
  await on.query('set local enable_sort = off');
  const found = await compareRows(on, [id, mode.accountId, mode.isTest, compared, last]);
  const counts = addedUp(work.counts, [
    ...found.map((part) => [part.outcome, part.rows] as const),
    ...found.map((part) => ['undelivered', part.undelivered] as const),
  ]);
  let { money } = work;
  for (const { outcome, currency, amount, undelivered_amount: late } of found) {
    money = withMoney(money, outcome, [{ currency, amount }]);
    money = withMoney(money, 'undelivered', [{ currency, amount: late }]);
  }
  if (found.some(({ outcome }) => outcome === 'amountDiffers')) {
    money = withMoney(money, 'registered', await sumRegistered(on, [id, mode.accountId, compared, last]));
  }
  return { step: last < rows ? 'compare' : 'extra', compared: last, counts, money };
};

/** Looks for the next conversions of the range in the list. */
export const walkSlice = async (on: PoolClient, work: OpenReconciliation): Promise<WorkedOff> => {
  const { id, mode, rows, counts, money, walkedAt, walkedId, until } = work;
  // a plan made while the table is small, or not analyzed, would read and sort the whole range for each slice
  await on.query('set local enable_bitmapscan = off');
  const [walk] = await walkConversions(on, [
    id,
    mode.accountId,
    mode.isTest,
    walkedAt,
    walkedId,
    until,
    conversionsMax,
    rows + counts.extra,
  ]);
  if (!walk) throw new Error('the walk returned no row');
  return {
    step: walk.walked < conversionsMax ? null : 'extra',
    counts: addedUp(counts, [['extra', walk.extra]]),
    money: withMoney(money, 'extra', walk.amounts),
    walkedAt: walk.last_at ?? walkedAt,
    walkedId: walk.last_id ?? walkedId,
  };
};
