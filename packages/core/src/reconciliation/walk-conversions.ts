import { preparedStatement } from '@leadback/db';
import { amountNow, isRetracted } from './conversion-now.ts';

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
export const walkConversions = preparedStatement<Walked>(
  'walk-conversions-for-reconciliation',
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
