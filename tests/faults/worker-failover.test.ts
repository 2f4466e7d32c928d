import { setTimeout as pause } from 'node:timers/promises';
import { testMaxMs } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { expireLostClaims, flowsAgain } from '../support/deliveries.ts';
import { firstOf } from '../support/long-run.ts';
import { givenPostgres } from '../support/given-postgres.ts';
import { givenStack, type RunningApp, type TestStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';

type Postgres = Awaited<ReturnType<typeof givenPostgres>>;

// longer: `DOWN_SECONDS=180 pnpm exec vitest run tests/faults/worker-failover.test.ts`
const downMs = Number(process.env['DOWN_SECONDS'] ?? 10) * 1_000;

const terminateAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`;

const failovers: readonly [string, (postgres: Postgres) => Promise<void>][] = [
  [
    'was killed',
    async ({ server }) => {
      await server.kill();
      await server.start();
    },
  ],
  [
    'was read-only',
    async (postgres) => {
      await postgres.administer('alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
      await pause(5_000);
      const writable = 'set default_transaction_read_only = off';
      await postgres.administer(
        writable,
        'alter system reset default_transaction_read_only',
        'select pg_reload_conf()',
      );
    },
  ],
  [
    `was down for ${downMs / 1_000} s`,
    async ({ server }) => {
      await server.kill();
      await pause(downMs);
      await server.start();
    },
  ],
  [
    'was stopped fast',
    async ({ server }) => {
      await server.stop();
      await server.start();
    },
  ],
  [
    'ended every session, three times',
    async (postgres) => {
      for (let times = 0; times < 3; times += 1) {
        await postgres.administer(terminateAll);
        await pause(500);
      }
    },
  ],
];

describe('the failover of PostgreSQL', () => {
  let postgres: Postgres;
  let stack: TestStack;
  let ledger: Ledger;
  let worker: RunningApp;
  // from all failovers so far
  let duplicatesMax = 0;

  beforeAll(async () => {
    postgres = await givenPostgres();
    stack = await givenStack(undefined, postgres.database);
    ledger = await givenLedger(stack);
    [, worker] = await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  it.each(firstOf(1, failovers))(
    'loses nothing and keeps the worker running after PostgreSQL %s under load',
    async (_how, failOver) => {
      await flowsAgain(stack.database, ledger);
      const load = ledger.load(50);
      await load.more(50);

      await failOver(postgres);
      await flowsAgain(stack.database, ledger);
      const entries = await load.stop();
      const statuses = new Set(entries.flatMap((entry) => entry.statuses));
      expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);

      duplicatesMax += await expireLostClaims(stack.database);
      expect(await violationsAfter(stack, ledger, { duplicatesMax })).toEqual([]);
      expect(stack.running()).toContain(worker);
    },
    testMaxMs + downMs,
  );
});
