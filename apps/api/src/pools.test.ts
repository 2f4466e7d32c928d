import { givenDatabase } from '@leadback/testing';
import { createMetrics, watchDatabase } from '@leadback/server/app';
import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import type { apiContext } from './context.ts';
import type { apiJobs } from './jobs.ts';
import { type ErasuresPool, type JobsPool, openPools, type Pools } from './pools.ts';

const given = async () => {
  const owner = await givenDatabase();
  const pools = await openPools(owner.urlOf('api'));
  onTestFinished(async () => {
    await pools[Symbol.asyncDispose]();
    await owner[Symbol.asyncDispose]();
  });
  const { database, intake, jobs, erasures } = pools;
  return { pools, all: [database.pool, intake, jobs, erasures] };
};

it('jobs that hold all of their connections leave those of requests', async () => {
  const { pools } = await given();
  const held = [await pools.jobs.connect(), await pools.jobs.connect()];
  try {
    for (const pool of [pools.database.pool, pools.intake, pools.erasures]) {
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    }
    expect(pools.jobs.idleCount).toBe(0);
  } finally {
    for (const client of held) client.release();
  }
});

// the compiler checks it: a pool of requests in the wiring is an error
it('no periodic job can have a connection of requests, and erasures have their own', () => {
  expectTypeOf<Pools['intake']>().not.toExtend<JobsPool>();
  expectTypeOf<Pools['intake']>().not.toExtend<ErasuresPool>();
  expectTypeOf<Pools['erasures']>().not.toExtend<JobsPool>();
  expectTypeOf<Pools['jobs']>().not.toExtend<ErasuresPool>();
  expectTypeOf<Parameters<typeof apiJobs>[0]['jobs']>().toEqualTypeOf<JobsPool>();
  expectTypeOf<Parameters<typeof apiJobs>[0]['erasures']>().toEqualTypeOf<ErasuresPool>();
  expectTypeOf<Parameters<typeof apiContext>[0]['jobs']>().toEqualTypeOf<JobsPool>();
});

it('an api opens at most ten connections, and all of them are in its metric', async () => {
  const { pools, all } = await given();
  expect(all.reduce((sum, { options }) => sum + (options.max ?? 0), 0)).toBe(10);
  const metrics = createMetrics('api');
  watchDatabase(metrics, pools.database, ...pools.others);
  const held = await Promise.all(all.map((pool) => pool.connect()));
  try {
    expect(await metrics.metrics()).toMatch(/leadback_database_connections\{[^}]*state="busy"[^}]*\} 4\n/);
  } finally {
    for (const client of held) client.release();
  }
});
