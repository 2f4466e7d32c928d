import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';

// equal numbers give equal texts, so that all checkouts have the same rows, but the order of the texts is random
const hashed = (number: string): string => `md5((${number})::text)`;

// 22 characters of [0-9A-Za-z], as in a lead reference
const likeLeadReference = (number: string): string =>
  `translate(encode(decode(${hashed(number)}, 'hex'), 'base64'), '+/=', 'Aa')`;

const leads = `
  with genuine as materialized (
    select n, issued.reference
    from (select n, row_number() over (order by random()) as i from generate_series(1, $1::int) n) shuffled
    join unnest($2::text[]) with ordinality as issued (reference, i) using (i)
  )
  insert into lead (account_id, landing_page_id, reference, click_marks, ip_address, user_agent, landing_url)
  select p.account_id, p.id, coalesce(g.reference, ${likeLeadReference("p.id || '-' || n")}),
         '{"gclid": "bench", "fbclid": "bench"}', '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0',
         'https://ads.example/bench?gclid=bench&fbclid=bench'
  from landing_page p cross join generate_series(1, $1::int) n left join genuine g using (n)`;

const clients = `
  insert into client (account_id, lead_id, email, email_key, external_reference)
  select account_id, id, address, address, 'C' || ${hashed('id')}
  from lead cross join lateral (select 'c' || left(${hashed('id')}, 10) || '@shop.example' as address) a`;

const laterColumn = z.enum(['event_id', 'landing_page_id', 'campaign']);
type LaterColumn = z.infer<typeof laterColumn>;

/** Columns of conversions that the schema has, and those of earlier versions do not have. */
export const laterColumnsIn = async (on: ClientBase | Pool): Promise<LaterColumn[]> => {
  const { rows } = await on.query(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema and table_name = 'conversion' and column_name = any($1)`,
    [laterColumn.options],
  );
  return z
    .array(z.object({ name: laterColumn }))
    .parse(rows)
    .map(({ name }) => name);
};

// as the api writes them
const valueOf: Readonly<Record<LaterColumn, string>> = {
  event_id: 'r.reference',
  landing_page_id: 'l.landing_page_id',
  campaign: 'campaign_of(l.click_marks)',
};

const conversions = (later: readonly LaterColumn[]): string => `
  insert into conversion (${['account_id, client_id, amount, currency, external_reference', ...later].join(', ')})
  select ${["c.account_id, c.id, 10, 'USD', r.reference", ...later.map((column) => valueOf[column])].join(', ')}
  from client c cross join lateral (select * from lead where id = c.lead_id limit 1) l
  cross join generate_series(1, $1::int) n
  cross join lateral (select 'O' || ${hashed("c.id || '-' || n")} as reference) r`;

interface Rows {
  readonly leadsPerPage: number;
  readonly conversionsPerClient: number;
  /** References for random ones of the leads, if there is only one page: the api accepts no others. */
  readonly issuedReferences?: readonly string[];
}

/**
 * Fills the empty tables of leads, clients and conversions for the accounts and pages that exist. As in production, only
 * ids are in the order of insertion; references and email addresses are in random order.
 */
export const insertRows = async (
  on: ClientBase | Pool,
  { leadsPerPage, conversionsPerClient, issuedReferences = [] }: Rows,
): Promise<void> => {
  await on.query(leads, [leadsPerPage, issuedReferences]);
  await on.query(clients);
  await on.query(conversions(await laterColumnsIn(on)), [conversionsPerClient]);
};
