import type { ClientBase, Pool } from 'pg';

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

/** Earlier versions have no event ids. */
const conversions = (hasEventId: boolean): string => `
  insert into conversion (account_id, client_id, amount, currency, external_reference${hasEventId ? ', event_id' : ''})
  select account_id, id, 10, 'USD', reference${hasEventId ? ', reference' : ''}
  from client cross join generate_series(1, $1::int) n
  cross join lateral (select 'O' || ${hashed("id || '-' || n")} as reference) r`;

const eventIds = `
  select from information_schema.columns
  where table_schema = current_schema and table_name = 'conversion' and column_name = 'event_id'`;

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
  const { rowCount } = await on.query(eventIds);
  await on.query(conversions(rowCount === 1), [conversionsPerClient]);
};
