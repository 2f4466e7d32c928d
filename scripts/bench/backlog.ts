import { countOpen } from './account.ts';
import { say } from './figures.ts';
import type { BenchStack } from './stack.ts';

const backlogConnections = 40;
const conversionsPerClient = 10;
const parcelSize = 50;

const accounts = `insert into account (name) select 'Bench' from generate_series(1, ${backlogConnections})`;
const pages = `
  insert into landing_page (account_id, slug, mode, target_url)
  select id, 'bench-' || id, 'direct', 'https://shop.example/offer' from account`;
// equal numbers give equal texts, but the order of the texts is random, as in production
const hashed = (number: string): string => `md5((${number})::text)`;
const leads = `
  insert into lead (account_id, landing_page_id, reference, click_parameters, user_agent, landing_url)
  select p.account_id, p.id, left(${hashed("p.id || '-' || n")}, 22),
         '{"gclid": "bench", "fbclid": "bench"}', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0',
         'https://ads.example/bench?gclid=bench&fbclid=bench'
  from landing_page p cross join generate_series(1, $1::int) n`;
const clients = `
  insert into client (account_id, lead_id, email_hash, external_reference, landing_page_id, campaign)
  select account_id, id, left(${hashed("id || ' email'")}, 22), 'C' || ${hashed('id')}, landing_page_id, campaign_of(click_parameters, click_times)
  from lead`;
const conversions = `
  insert into conversion (account_id, client_id, lead_id, amount, currency, external_reference, event_id, landing_page_id, campaign)
  select c.account_id, c.id, c.lead_id, 10, 'USD', r.reference, r.reference, c.landing_page_id, c.campaign
  from client c cross join generate_series(1, ${conversionsPerClient}) n
  cross join lateral (select 'O' || ${hashed("c.id || '-' || n")} as reference) r`;
const dueDeliveries = `
  with numbered as materialized (
    select p.account_id, p.id as connection_id, v.id as conversion_id, v.created_at as occurred_at, v.landing_page_id,
           v.campaign,
           (row_number() over (partition by p.id order by v.id) - 1) / ${parcelSize} as number
    from platform_connection p join conversion v on v.account_id = p.account_id
  ), parcel as materialized (
    select connection_id, number, nextval(pg_get_serial_sequence('delivery_due', 'id')) as id
    from (select distinct connection_id, number from numbered) distinct_parcels
  ), added as (
    insert into delivery (account_id, conversion_id, connection_id, parcel_id, occurred_at, landing_page_id, campaign)
    select n.account_id, n.conversion_id, n.connection_id, p.id, n.occurred_at, n.landing_page_id, n.campaign
    from numbered n join parcel p using (connection_id, number) order by n.number
    returning id, account_id, connection_id, parcel_id, created_at
  )
  insert into delivery_due (id, account_id, connection_id, delivery_ids, oldest_at)
  select parcel_id, account_id, connection_id, array_agg(id order by id), min(created_at)
  from added group by parcel_id, account_id, connection_id`;

/** Fills the tables with live deliveries to Meta that are due, over forty connections, as an api would have left them. */
export const buildBacklog = async ({ pool, operator }: BenchStack, rows: number): Promise<void> => {
  const perConnection = rows / backlogConnections / conversionsPerClient;
  if (!Number.isInteger(perConnection))
    throw new Error(`--rows must be a multiple of ${backlogConnections * conversionsPerClient}, for equal connections`);
  await pool.query(accounts);
  say(`  creating ${backlogConnections} connections with the operator`);
  for (let account = 1; account <= backlogConnections; account += 1)
    await operator(
      `connection create --account ${account} --platform meta --pixel-id ${1_000_000_000 + account} --access-token t --from-argv-i-know`,
    );
  say(`  inserting ${rows} conversions`);
  await pool.query(pages);
  const on = await pool.connect();
  try {
    await on.query('set session_replication_role = replica');
    await on.query(leads, [perConnection]);
    await on.query(clients);
    await on.query(conversions);
    // a trigger counts deliveries
    await on.query('set session_replication_role = origin');
    await on.query(dueDeliveries);
    await on.query('vacuum analyze');
    await on.query('checkpoint');
  } finally {
    on.release();
  }
  const open = await countOpen(pool);
  if (open !== rows) throw new Error(`the backlog has ${open} open deliveries instead of ${rows}`);
};
