import { Pool } from 'pg';
import type { BenchStack } from '../bench-stack.ts';
import type { Figures } from '../figures.ts';
import { warmUp } from '../given-account.ts';
import type { Asked } from '../load/load.ts';
import { underLoad } from '../measure-load.ts';
import type { Bench } from '../part.ts';
import { startBaseline } from './baseline.ts';

// only what the baselines need: fewer columns and indexes than the product has
const tables = `
  create table lead (id bigserial primary key, reference text not null unique, landing_url text, user_agent text,
                     ip_address inet, click_marks jsonb, created_at timestamptz not null default now());
  create table client (id bigserial primary key, lead_id bigint not null references lead, email text,
                       external_reference text not null unique, created_at timestamptz not null default now());
  create table conversion (id bigserial primary key, client_id bigint not null references client, amount numeric(12, 2),
                           currency text, external_reference text not null unique,
                           created_at timestamptz not null default now());`;

/**
 * Starts a baseline with its own database on the server of the measured apps, with the same leads and clients, and warms
 * it up as these. Returns its measurement under the load.
 */
export const givenBaseline = async (
  bench: Bench,
  { pool, databaseUrl, servers, use }: BenchStack,
  name: 'redirect' | 'registration',
  askedAt: (url: string) => Asked,
): Promise<() => Promise<Figures>> => {
  const leads = await pool.query('select reference from lead order by id');
  const clients = await pool.query('select external_reference from client order by id');
  await pool.query('create database baseline');
  const url = new URL(databaseUrl);
  url.pathname = '/baseline';
  const own = new Pool({ connectionString: url.href, max: 1 });
  const insert = (into: string, rows: unknown) =>
    own.query(`insert into ${into} from jsonb_to_recordset($1) as r (reference text, external_reference text)`, [
      JSON.stringify(rows),
    ]);
  await own.query(tables);
  await insert('lead (reference) select reference', leads.rows);
  await insert('client (lead_id, external_reference) select 1, external_reference', clients.rows);
  const server = use(await startBaseline(name, { DATABASE_URL: url.href }));
  const asked = askedAt(server.url);
  await warmUp(bench, { pool: own }, asked);
  await own.end();
  return underLoad(bench, asked, { 'node:http + pg': server.pid, PostgreSQL: servers.PostgreSQL });
};
