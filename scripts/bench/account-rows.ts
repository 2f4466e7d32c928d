import type { ClientBase, Pool } from 'pg';

// as many leads on each landing page, a client of each lead, and as many conversions of each client
const statements = {
  leads: `insert into lead (account_id, landing_page_id, reference, click_marks, ip_address, user_agent, landing_url)
   select p.account_id, p.id, 'bench-' || p.account_id || '-' || n, '{"gclid": "bench", "fbclid": "bench"}', '203.0.113.7',
          'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0', 'https://ads.example/bench?gclid=bench&fbclid=bench'
   from landing_page p cross join generate_series(1, $1::int) n`,
  clients: `insert into client (account_id, lead_id, email, email_key, external_reference)
   select account_id, id, 'c' || id || '@shop.example', 'c' || id || '@shop.example', 'C' || id from lead`,
  conversions: `insert into conversion (account_id, client_id, amount, currency, external_reference)
   select account_id, id, 10, 'USD', 'O' || id || '-' || n from client cross join generate_series(1, $1::int) n`,
} as const;

interface Rows {
  readonly leadsPerPage: number;
  readonly conversionsPerClient: number;
}

/** Fills the empty tables of leads, clients (`C1`, `C2` …) and conversions for the accounts and pages that exist. */
export const insertRows = async (
  on: ClientBase | Pool,
  { leadsPerPage, conversionsPerClient }: Rows,
): Promise<void> => {
  await on.query(statements.leads, [leadsPerPage]);
  await on.query(statements.clients);
  await on.query(statements.conversions, [conversionsPerClient]);
};
