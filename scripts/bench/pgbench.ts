import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable } from '@leadback/local-stack';
import type { BenchStack } from './bench-stack.ts';
import { conversionStatement } from './conversion-statement.ts';

const execute = promisify(execFile);

// as the pool of an app: its size, and the settings of its connections
const clients = 10;
const planning = '-c enable_seqscan=off -c jit=off';

const figure = (output: string, pattern: RegExp): number => {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`pgbench printed no ${pattern.source}:\n${output}`);
  return Number(found);
};

// tells throughput and latency of each second; the first is the warm-up
const progress = /^progress: [\d.]+ s, ([\d.]+) tps, lat ([\d.]+) ms/gm;
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export const hasPgbench = (): boolean => findExecutable(['pgbench']) !== undefined;

/**
 * Returns a function that runs the statement of the api that registers conversions, one conversion at a time, with
 * pgbench: prepared once for each connection, as in the api. Each is of a random one of the clients `C1` to `C<clientsCount>`.
 * A first run checks that each adds a row.
 */
export const preparePgbench = async (stack: BenchStack, clientsCount: number, seconds: number) => {
  const statement = await conversionStatement();
  // blanks after colons: pgbench takes `:name` for a variable
  const item = `[{"accountId": 1, "isTest": false, "amount": "10", "currency": "USD", "clientExternalReference": "C`;
  const rows = `('${item}' || :client || '", "externalReference": "' || :run || '-' || :client_id || '-' || :number || '"}]')::json`;
  const file = join(tmpdir(), `leadback-bench-${process.pid}.sql`);
  const variables = `\\set number :number + 1\n\\set client random(1, ${clientsCount})\n`;
  writeFileSync(file, `${variables}${statement.replaceAll('$1', () => rows)};\n`);
  stack.use({ [Symbol.asyncDispose]: async () => rmSync(file) });
  const { hostname, port, username, password, pathname } = new URL(stack.databaseUrl);
  let run = 0;
  const options = [
    '--no-vacuum',
    '--protocol=prepared',
    '--progress=1',
    `--client=${clients}`,
    `--jobs=${cpus().length}`,
  ];
  const server = ['--host', hostname, '--port', port, '--username', username, pathname.slice(1)];

  const runOnce = async (forSeconds: number) => {
    run += 1;
    const args = [
      ...options,
      `--define=run=${run}`,
      '--define=number=0',
      `--file=${file}`,
      `--time=${forSeconds}`,
      ...server,
    ];
    const { stdout, stderr } = await execute('pgbench', args, {
      env: { ...process.env, PGPASSWORD: password, PGOPTIONS: planning },
    });
    const [, ...measured] = [...stderr.matchAll(progress)];
    return {
      perSecond: meanOf(measured.map(([, tps]) => Number(tps))),
      meanMs: meanOf(measured.map(([, , latency]) => Number(latency))),
      operations: figure(stdout, /actually processed: (\d+)/),
    };
  };

  const { operations } = await runOnce(1);
  const { rowCount } = await stack.pool.query(`select from conversion where external_reference like '1-%'`);
  if (rowCount !== operations) throw new Error(`pgbench registered ${rowCount} of ${operations} conversions`);
  return () => runOnce(1 + Math.ceil(seconds));
};
