// What the apps are measured beside: bare servers with a database of their own, and pgbench.
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable } from '@leadback/testing/stack';
import { Pool } from 'pg';
import { z } from 'zod';
import { startBenchProcess } from './bench-process.ts';
import { meterCpu, say } from './figures.ts';
import type { Asked } from './load.ts';
import { type Bench, type Measure, type Measurements, underLoad, warmUp } from './measure.ts';
import type { BenchStack } from './stack.ts';

interface BareServer extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
}

/** Starts a server that answers with its URL. */
export const startBareServer = async (
  serves: 'page' | 'redirect' | 'registration',
  env: Readonly<Record<string, string>>,
): Promise<BareServer> => {
  const child = startBenchProcess(new URL('bare-server.ts', import.meta.url), { SERVES: serves, ...env });
  const url = z.string().parse(await child.ask('url'));
  return { pid: child.pid, url, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
};

// only what the bare servers need: fewer columns and indexes than the product has
const tables = `
  create table lead (id bigserial primary key, reference text not null unique, landing_url text, user_agent text,
                     ip_address inet, click_parameters jsonb, created_at timestamptz not null default now());
  create table client (id bigserial primary key, lead_id bigint not null references lead, email text,
                       external_reference text not null unique, created_at timestamptz not null default now());
  create table conversion (id bigserial primary key, client_id bigint not null references client, amount numeric(12, 2),
                           currency text, external_reference text not null unique,
                           created_at timestamptz not null default now());`;

/** Creates a database with their tables on the server of a stack; returns its URL. */
const bareDatabase = async ({ pool, databaseUrl }: BenchStack): Promise<string> => {
  await pool.query('create database baseline');
  const url = new URL(databaseUrl);
  url.pathname = '/baseline';
  const own = new Pool({ connectionString: url.href, max: 1 });
  await own.query(tables);
  await own.end();
  return url.href;
};

// what the bare servers themselves insert: so many rows of each, the first ones with the references that requests will name
const leads = `
  insert into lead (reference, landing_url, user_agent, ip_address, click_parameters)
  select coalesce(($2::text[])[n], md5(n::text)), 'https://ads.example/bench?gclid=bench&fbclid=bench',
         'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0', '203.0.113.7', '{"gclid": "bench", "fbclid": "bench"}'
  from generate_series(1, $1::int) n`;
const clients = `
  insert into client (lead_id, email, external_reference)
  select id, 'c' || left(md5(id::text), 10) || '@shop.example', coalesce(($1::text[])[id], md5(id::text)) from lead`;
const conversions = `
  insert into conversion (client_id, amount, currency, external_reference)
  select id, 10, 'USD', 'O' || md5(id::text) from client`;

const named = { lead: 'reference', client: 'external_reference' } as const;

/** The references of all leads or clients. */
const referencesIn = async ({ pool }: BenchStack, table: keyof typeof named): Promise<string[]> => {
  const { rows } = await pool.query(`select ${named[table]} as reference from ${table}`);
  return z
    .array(z.object({ reference: z.string() }))
    .parse(rows)
    .map(({ reference }) => reference);
};

/**
 * Starts a bare server with its own database on the server of the measured apps, with the same leads and clients, and
 * warms it up as these. Returns its measurement under the load.
 */
export const bareServer = async (
  bench: Bench,
  stack: BenchStack,
  serves: 'redirect' | 'registration',
  askedAt: (url: string) => Asked,
): Promise<Measure> => {
  const url = await bareDatabase(stack);
  const own = new Pool({ connectionString: url, max: 1 });
  const [ofLeads, ofClients] = [await referencesIn(stack, 'lead'), await referencesIn(stack, 'client')];
  await own.query(leads, [Math.max(ofLeads.length, ofClients.length), ofLeads]);
  await own.query(clients, [ofClients]);
  await own.query(conversions);
  const server = stack.use(await startBareServer(serves, { DATABASE_URL: url }));
  const asked = askedAt(server.url);
  await warmUp(bench, own, asked);
  await own.end();
  return underLoad(bench, asked, { 'node:http + pg': server.pid, PostgreSQL: stack.servers.PostgreSQL });
};

/** The text of the statement with which the api has just registered conversions; `$1` are the conversions. */
const conversionStatement = async ({ pool }: BenchStack): Promise<string> => {
  const { rows } = await pool.query(
    `select query from pg_stat_activity where query like '%insert into conversion %' and pid <> pg_backend_pid() limit 1`,
  );
  return z.tuple([z.object({ query: z.string() })]).parse(rows)[0].query;
};

// as the pool of an app: its size, and the settings of its connections
const pgbenchClients = 10;
const planning = '-c enable_seqscan=off -c jit=off';

// tells throughput and latency of each second; the first is the warm-up
const progress = /^progress: [\d.]+ s, ([\d.]+) tps, lat ([\d.]+) ms/gm;
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns a function that runs the statement of the api that registers conversions, one conversion at a time, with
 * pgbench: prepared once for each connection, as in the api. Each is of a random one of the clients `C1` to `C<clientsCount>`.
 * A first run checks that each adds a row.
 */
const preparePgbench = async (stack: BenchStack, clientsCount: number, seconds: number) => {
  const statement = await conversionStatement(stack);
  // blanks after colons: pgbench takes `:name` for a variable
  const item = `[{"accountId": 1, "isTest": false, "amount": "10", "currency": "USD", "clientExternalReference": "C`;
  const rows = `('${item}' || :client || '", "externalReference": "' || :run || '-' || :client_id || '-' || :number || '"}]')::json`;
  const file = join(tmpdir(), `leadback-bench-${process.pid}.sql`);
  const variables = `\\set number :number + 1\n\\set client random(1, ${clientsCount})\n`;
  writeFileSync(file, `${variables}${statement.replaceAll('$1', () => rows)};\n`);
  stack.use({ [Symbol.asyncDispose]: async () => rmSync(file) });
  const { hostname, port, username, password, pathname } = new URL(stack.databaseUrl);
  let run = 0;
  const runOnce = async (forSeconds: number) => {
    run += 1;
    const options = `--no-vacuum --protocol=prepared --progress=1 --client=${pgbenchClients} --jobs=${cpus().length}`;
    const its = `--define=run=${run} --define=number=0 --file=${file} --time=${forSeconds}`;
    const server = `--host=${hostname} --port=${port} --username=${username} ${pathname.slice(1)}`;
    const args = `${options} ${its} ${server}`.split(' ');
    const { stdout, stderr } = await promisify(execFile)('pgbench', args, {
      env: { ...process.env, PGPASSWORD: password, PGOPTIONS: planning },
    });
    const [, ...measured] = [...stderr.matchAll(progress)];
    const operations = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
    if (measured.length === 0 || Number.isNaN(operations)) throw new Error(`pgbench printed no figures:\n${stdout}`);
    return {
      perSecond: meanOf(measured.map(([, tps]) => Number(tps))),
      meanMs: meanOf(measured.map(([, , latency]) => Number(latency))),
      operations,
    };
  };

  const { operations } = await runOnce(2);
  const { rowCount } = await stack.pool.query(`select from conversion where external_reference like '1-%'`);
  if (rowCount !== operations) throw new Error(`pgbench registered ${rowCount} of ${operations} conversions`);
  return () => runOnce(1 + Math.ceil(seconds));
};

/** The measurement of pgbench under this name; none where it is not installed. */
export const pgbench = async (
  name: string,
  { settings }: Bench,
  stack: BenchStack,
  clientsCount: number,
): Promise<Measurements> => {
  if (findExecutable(['pgbench']) === undefined) {
    say('  pgbench is not on the PATH: not compared with it (Debian: apt-get install postgresql)');
    return new Map();
  }
  say('  warming up');
  const run = await preparePgbench(stack, clientsCount, settings.seconds);
  const measure: Measure = async () => {
    const cpu = meterCpu({ processes: { PostgreSQL: stack.servers.PostgreSQL }, apart: {} });
    const { perSecond, meanMs, operations } = await run();
    return { 'per second': perSecond, 'mean ms': meanMs, ...cpu(operations) };
  };
  return new Map([[name, measure]]);
};
