import type { ReconciliationOutcome } from '@leadback/domain';
import { preparedStatement } from '@leadback/db';
import { amountNow } from './conversion-now.ts';
import { clientOfRow, conversionByReference } from './conversion-lookup.ts';

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
export const compareRows = preparedStatement<Compared>(
  'compare-reconciliation-rows',
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
         cross join lateral (
           select platform from platform_connection where id = f.connection_id and account_id = $2 limit 1
         ) p
         where f.conversion_id = found.id and f.state <> 'delivered' and earlier.is_repeated is null
           and found.currency = r.currency and found.amount = r.amount
       ) late on true
     )
     where r.reconciliation_id = $1 and r.number > $4 and r.number <= $5 and r.account_id + 0 = $2 and not r.is_refused
     returning r.outcome, r.undelivered, r.amount, r.currency
   )
   select outcome, currency, count(*) as rows, sum(amount) as amount,
          count(*) filter (where undelivered <> '{}') as undelivered,
          sum(amount) filter (where undelivered <> '{}') as undelivered_amount
   from compared group by outcome, currency`,
);

/** What the conversions are worth that have another amount than the rows with these numbers; no plan but by their keys. */
export const sumRegistered = preparedStatement<{ currency: string; amount: string }>(
  'sum-registered-amounts',
  `select found.currency, sum(found.amount) as amount
   from (
     select conversion_id from reconciliation_row
     where reconciliation_id = $1 and number > $3 and number <= $4 and outcome || '' = 'amountDiffers'
     order by number
   ) r
   cross join lateral (
     select v.currency, ${amountNow} as amount from conversion v
     where v.id = r.conversion_id and v.account_id + 0 = $2 limit 1
   ) found
   group by found.currency`,
);
