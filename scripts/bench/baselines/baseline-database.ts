import { Pool } from 'pg';
import type { BenchStack } from '../bench-stack.ts';
import { fillQuickly } from '../fill-quickly.ts';
import { say } from '../say.ts';

// only what the baselines need: fewer columns and indexes than the product has
const tables = `
  create table lead (id bigserial primary key, reference text not null unique, landing_url text, user_agent text,
                     ip_address inet, click_marks jsonb, created_at timestamptz not null default now());
  create table client (id bigserial primary key, lead_id bigint not null references lead, email text,
                       external_reference text not null unique, created_at timestamptz not null default now());
  create table conversion (id bigserial primary key, client_id bigint not null references client, amount numeric(12, 2),
                           currency text, external_reference text not null unique,
                           created_at timestamptz not null default now());`;

/** Creates a database with the tables of the baselines on the server of a stack; returns its URL. */
export const baselineDatabase = async ({ pool, databaseUrl }: BenchStack): Promise<string> => {
  await pool.query('create database baseline');
  const url = new URL(databaseUrl);
  url.pathname = '/baseline';
  const own = new Pool({ connectionString: url.href, max: 1 });
  await own.query(tables);
  await own.end();
  return url.href;
};

// what the baselines themselves insert
const leads = `
  insert into lead (reference, landing_url, user_agent, ip_address, click_marks)
  select coalesce(known.reference, md5(n::text)), 'https://ads.example/bench?gclid=bench&fbclid=bench',
         'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0', '203.0.113.7', '{"gclid": "bench", "fbclid": "bench"}'
  from generate_series(1, $1::int) n
  left join unnest($2::text[]) with ordinality as known (reference, i) on n = i * ($1 / cardinality($2))`;
const clients = `
  insert into client (lead_id, email, external_reference)
  select lead.id, 'c' || left(md5(lead.id::text), 10) || '@shop.example', coalesce(known.reference, md5(lead.id::text))
  from lead
  left join unnest($2::text[]) with ordinality as known (reference, i) on lead.id = i * ($1 / cardinality($2))`;
const conversions = `
  insert into conversion (client_id, amount, currency, external_reference)
  select id, 10, 'USD', 'O' || md5(id::text) from client`;

interface Known {
  /** References of leads, at most as many as there are rows; they are spread over the whole table. */
  readonly leads: readonly string[];
  /** External references of clients, likewise. */
  readonly clients: readonly string[];
}

/** Fills the empty tables of baselines with so many rows each, those among them that requests will name. */
export const fillBaseline = async (url: string, rows: number, known: Known): Promise<void> => {
  say(`  inserting ${rows} rows into each table of the baselines`);
  const own = new Pool({ connectionString: url });
  await fillQuickly(own, ['lead', 'client', 'conversion'], async (on) => {
    await on.query(leads, [rows, known.leads]);
    await on.query(clients, [rows, known.clients]);
    await on.query(conversions);
  });
  await own.end();
};
