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

const laterColumn = z.enum(['landing_page_id', 'campaign', 'event_id']);
type LaterColumn = z.infer<typeof laterColumn>;

/** Columns of a table that the schema has, and those of earlier versions do not have. */
export const laterColumnsIn = async (on: ClientBase | Pool, table: 'client' | 'conversion'): Promise<LaterColumn[]> => {
  const { rows } = await on.query(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema and table_name = $1 and column_name = any($2)`,
    [table, laterColumn.options],
  );
  return z
    .array(z.object({ name: laterColumn }))
    .parse(rows)
    .map(({ name }) => name);
};

// as the api writes them
const valueOf: Readonly<Record<LaterColumn, string>> = {
  landing_page_id: 'l.landing_page_id',
  campaign: 'campaign_of(l.click_marks)',
  event_id: 'r.reference',
};

const listOf = (first: string, others: readonly string[]): string => [first, ...others].join(', ');
const valuesOf = (later: readonly LaterColumn[]) => later.map((column) => valueOf[column]);

const clients = (later: readonly LaterColumn[]): string => `
  insert into client (${listOf('account_id, lead_id, email, email_key, external_reference', later)})
  select ${listOf(`l.account_id, l.id, a.address, a.address, 'C' || ${hashed('l.id')}`, valuesOf(later))}
  from lead l cross join lateral (select 'c' || left(${hashed('l.id')}, 10) || '@shop.example' as address) a`;

const conversions = (later: readonly LaterColumn[]): string => `
  insert into conversion (${listOf('account_id, client_id, amount, currency, external_reference', later)})
  select ${listOf("c.account_id, c.id, 10, 'USD', r.reference", valuesOf(later))}
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
  await on.query(clients(await laterColumnsIn(on, 'client')));
  await on.query(conversions(await laterColumnsIn(on, 'conversion')), [conversionsPerClient]);
};
