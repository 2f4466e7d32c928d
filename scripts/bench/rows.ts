import { issueLeadReference, leadReferenceKeys, masterKeysSchema } from '@leadback/domain/keys';
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { countOpen } from './account.ts';
import { say } from './figures.ts';
import type { BenchStack } from './stack.ts';

const statements = z.array(z.object({ drop: z.string(), build: z.string() }));

// what foreign keys need stays: primary keys
const secondaryIndexes = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as build
  from pg_constraint where contype = 'u' and conrelid = any ($1::regclass[])
  union all
  select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  from pg_index
  where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`;

/**
 * Fills tables without their secondary indexes, triggers and foreign keys, which would take longer than the rows: millions in
 * random order would take hours. Then builds the indexes, and leaves the database as after a vacuum and a checkpoint.
 */
export const fillQuickly = async (
  pool: Pool,
  tables: readonly string[],
  fill: (on: ClientBase) => Promise<void>,
): Promise<void> => {
  const connection = await pool.connect();
  try {
    await connection.query('set session_replication_role = replica');
    await connection.query(`set maintenance_work_mem = '1GB'`);
    const indexes = statements.parse((await connection.query(secondaryIndexes, [tables])).rows);
    for (const { drop } of indexes) await connection.query(drop);
    await fill(connection);
    for (const { build } of indexes) await connection.query(build);
    await connection.query('vacuum analyze');
    await connection.query('checkpoint');
  } finally {
    connection.release(true);
  }
};

// equal numbers give equal texts, but the order of the texts is random
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
  insert into lead (account_id, landing_page_id, reference, click_marks, user_agent, landing_url)
  select p.account_id, p.id, coalesce(g.reference, ${likeLeadReference("p.id || '-' || n")}),
         '{"gclid": "bench", "fbclid": "bench"}', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0',
         'https://ads.example/bench?gclid=bench&fbclid=bench'
  from landing_page p cross join generate_series(1, $1::int) n left join genuine g using (n)`;

const clients = `
  insert into client (account_id, lead_id, email_hash, external_reference, landing_page_id, campaign)
  select account_id, id, left(${hashed("id || ' email'")}, 22), 'C' || ${hashed('id')}, landing_page_id, campaign_of(click_marks)
  from lead`;

const conversions = `
  insert into conversion (account_id, client_id, amount, currency, external_reference, event_id, landing_page_id, campaign)
  select c.account_id, c.id, 10, 'USD', r.reference, r.reference, c.landing_page_id, c.campaign
  from client c cross join generate_series(1, $1::int) n
  cross join lateral (select 'O' || ${hashed("c.id || '-' || n")} as reference) r`;

interface Rows {
  readonly leadsPerPage: number;
  readonly conversionsPerClient: number;
  /** References for random ones of the leads, if there is only one page: the api accepts no others. */
  readonly issuedReferences?: readonly string[];
}

/**
 * Fills the empty tables of leads, clients and conversions for the accounts and pages that exist, as the api writes them, but
 * without contact data. As in production, only ids are in the order of insertion; references and hashes of emails are in
 * random order.
 */
const insertRows = async (
  on: ClientBase,
  { leadsPerPage, conversionsPerClient, issuedReferences = [] }: Rows,
): Promise<void> => {
  await on.query(leads, [leadsPerPage, issuedReferences]);
  await on.query(clients);
  await on.query(conversions, [conversionsPerClient]);
};

// more than the requests of a measurement: none finds the pages of an earlier one in the cache of PostgreSQL
const sampleMax = 100_000;

/** References of random rows, spread over the whole table. */
export interface Sample {
  readonly leads: string[];
  readonly clients: string[];
}

const sampleOf = async ({ pool }: BenchStack, from: string): Promise<string[]> => {
  const { rows } = await pool.query(`select ${from} order by random() limit ${sampleMax}`);
  return z
    .array(z.object({ reference: z.string() }))
    .parse(rows)
    .map(({ reference }) => reference);
};

/** References of leads, if landing recorded all of them. */
export const sampleLeads = (stack: BenchStack): Promise<string[]> => sampleOf(stack, 'reference from lead');

/** External references of clients. */
export const sampleClients = (stack: BenchStack): Promise<string[]> =>
  sampleOf(stack, 'external_reference as reference from client');

/** Fills the tables of leads, clients and conversions with so many rows each. The leads that it returns are genuine. */
export const fillTables = async (stack: BenchStack, rows: number): Promise<Sample> => {
  say(`  inserting ${rows} leads, clients and conversions`);
  const keys = leadReferenceKeys(masterKeysSchema.parse(stack.secretsKey));
  const issued = Array.from({ length: Math.min(rows, sampleMax) }, () => issueLeadReference(keys));
  await fillQuickly(stack.pool, ['lead', 'client', 'conversion'], (on) =>
    insertRows(on, { leadsPerPage: rows, conversionsPerClient: 1, issuedReferences: issued }),
  );
  return { leads: issued, clients: await sampleClients(stack) };
};

const backlogConnections = 40;
const conversionsPerClient = 10;
const parcelSize = 50;

const accounts = `insert into account (name) select 'Bench' from generate_series(1, ${backlogConnections})`;
const pages = `
  insert into landing_page (account_id, slug, mode, target_url)
  select id, 'bench-' || id, 'direct', 'https://shop.example/offer' from account`;
const dueDeliveries = `
  with numbered as materialized (
    select p.account_id, p.id as connection_id, v.id as conversion_id, v.landing_page_id, v.campaign,
           (row_number() over (partition by p.id order by v.id) - 1) / ${parcelSize} as number
    from platform_connection p join conversion v on v.account_id = p.account_id
  ), parcel as materialized (
    select connection_id, number, nextval(pg_get_serial_sequence('delivery_due', 'id')) as id
    from (select distinct connection_id, number from numbered) distinct_parcels
  ), added as (
    insert into delivery (account_id, conversion_id, connection_id, parcel_id, landing_page_id, campaign)
    select n.account_id, n.conversion_id, n.connection_id, p.id, n.landing_page_id, n.campaign
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
  await fillQuickly(pool, ['lead', 'client', 'conversion', 'delivery'], async (on) => {
    await insertRows(on, { leadsPerPage: perConnection, conversionsPerClient });
    // triggers complete deliveries
    await on.query('set session_replication_role = origin');
    await on.query(dueDeliveries);
  });
  const open = await countOpen(pool);
  if (open !== rows) throw new Error(`the backlog has ${open} open deliveries instead of ${rows}`);
};
