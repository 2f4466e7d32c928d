import { randomUUID } from 'node:crypto';
import { type PeriodicPools, periodicWorker, readPeriodicRuns } from '@leadback/core/periodic';
import { keepAttemptPartitions, trimByPeriods } from '@leadback/core/retention';
import { type PeriodicJob, periodicJobs, type Pool } from '@leadback/db';
import { repeat } from '@leadback/server/app';
import { eventually, givenDatabase, givenLead, type TestDatabase, openPatientPool } from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dailyJob } from '../src/jobs.ts';
import { forErasures, forJobs } from '../src/pools.ts';

/** Until there is no more to do. */
const workAll = async (work: ReturnType<typeof periodicWorker>) => {
  for (;;) {
    const { isMore, finished } = await work();
    if (!isMore) return finished;
  }
};

describe('the jobs of the day', () => {
  let database: TestDatabase;
  let pool: Pool;
  let pools: PeriodicPools;
  let close: AsyncDisposable;
  beforeEach(async () => {
    database = await givenDatabase();
    // as the role of the api
    const opened = await openPatientPool({ url: database.urlOf('api'), applicationName: 'api', connectionsMax: 4 });
    pool = opened.pool;
    pools = { jobs: pool, unhurried: pool };
    close = opened;
  });
  afterEach(async () => {
    await close[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const period = (name: string, days: number) =>
    database.asOwner(
      'insert into retention_period (name, days) values ($1, $2) on conflict (name) do update set days = excluded.days',
      [name, days],
    );
  const givenLeads = async (count: number, ageDays: number) => {
    const { id } = await givenLead(database.em());
    await database.asOwner(
      `insert into lead (account_id, landing_page_id, reference, click_parameters, consent, created_at)
       select account_id, landing_page_id, reference || ' ' || n || ' ' || $2, click_parameters, consent, now() - $2::int * interval '1 day'
       from lead, generate_series(1, $3) n where id = $1`,
      [id, ageDays, count],
    );
    await database.asOwner(`update lead set created_at = now() - $2::int * interval '1 day' where id = $1`, [
      id,
      ageDays,
    ]);
  };
  const leads = async () =>
    (await database.pool.query<{ n: number }>('select count(*)::int as n from lead')).rows[0]?.n;
  const runs = async () => (await readPeriodicRuns(database.pool)).map(({ name, outcome }) => ({ name, outcome }));
  const partitions = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery_attempt'::regclass order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const dayLater = () =>
    database.asOwner(
      `update periodic_run set began_at = began_at - interval '1 day', finished_at = finished_at - interval '1 day',
         held_until = held_until - interval '1 day'`,
    );

  it('are done once a day, by one of several instances that are up', async () => {
    await period('leads', 90);
    await givenLeads(1200, 100);
    const done: string[] = [];
    const failures: unknown[] = [];
    const events = { periodicJobDone: ({ name }: { readonly name: PeriodicJob }) => void done.push(name) };
    await using instances = new AsyncDisposableStack();
    for (const name of [...periodicJobs, ...periodicJobs, ...periodicJobs]) {
      const round = dailyJob(name, { jobs: forJobs(pool), erasures: forErasures(pool) }, events);
      instances.use(repeat({ everyMs: 60_000, round, onFailure: (error) => void failures.push(error) }));
    }
    await eventually(async () => expect(done.toSorted()).toEqual([...periodicJobs]));
    await instances.disposeAsync();
    expect(await leads()).toBe(0);
    expect(await runs()).toMatchObject([
      { name: 'attempt-partitions', outcome: {} },
      { name: 'retention', outcome: { leadsDeleted: 1201 } },
    ]);
    for (const name of periodicJobs) {
      expect(await periodicWorker(name, pools, randomUUID())()).toEqual({ isMore: false });
    }
    expect(failures).toEqual([]);

    await dayLater();
    await givenLeads(1, 100);
    expect(await workAll(periodicWorker('retention', pools, randomUUID()))).toMatchObject({
      outcome: { leadsDeleted: 2 },
    });
  });

  it('are taken over from an instance that has died in the middle, and from nobody else', async () => {
    await period('leads', 90);
    await givenLeads(1200, 100);
    const first = periodicWorker('retention', pools, randomUUID());
    const second = periodicWorker('retention', pools, randomUUID());
    while ((await leads()) === 1201) expect(await first()).toEqual({ isMore: true });
    expect(await leads()).toBe(701);
    expect(await second()).toEqual({ isMore: false });
    expect(await leads()).toBe(701);

    // the first says nothing any more, until its time is over
    await database.asOwner('update periodic_run set held_until = clock_timestamp()');
    expect(await workAll(second)).toMatchObject({ name: 'retention', outcome: { leadsDeleted: 701 } });
    expect(await leads()).toBe(0);
    // and notices it if it was only slow
    expect(await first()).toEqual({ isMore: false });
    expect(await runs()).toMatchObject([{ name: 'retention', outcome: { leadsDeleted: 701 } }]);
  });

  it('are tried again ten minutes after a failure, by anybody', async () => {
    await database.asOwner('alter table delivery_attempt rename to elsewhere');
    const name = 'attempt-partitions';
    await expect(periodicWorker(name, pools, randomUUID())()).rejects.toMatchObject({ code: '42P01' });
    await database.asOwner('alter table elsewhere rename to delivery_attempt');
    expect(await periodicWorker(name, pools, randomUUID())()).toEqual({ isMore: false });
    expect(await readPeriodicRuns(database.pool)).toMatchObject([
      { name, finishedAt: null, failedAt: expect.any(Date) },
    ]);
    await database.asOwner(`update periodic_run set held_until = held_until - interval '10 minutes'`);
    expect(await workAll(periodicWorker(name, pools, randomUUID()))).toMatchObject({ name });
    expect(await readPeriodicRuns(database.pool)).toMatchObject([
      { name, finishedAt: expect.any(Date), failedAt: null },
    ]);
  });

  it('make the partitions of attempts that are missing, and drop those that have expired', async () => {
    const made = (await partitions()).filter((name) => !name.endsWith('_default'));
    for (const name of made.slice(1)) await database.asOwner(`drop table ${name}`);
    await database.asOwner(
      `create table delivery_attempt_2020_01 partition of delivery_attempt for values from ('2020-01-01Z') to ('2020-02-01Z')`,
    );
    expect(await workAll(periodicWorker('attempt-partitions', pools, randomUUID()))).toMatchObject({
      outcome: { partitionsMade: 3, partitionsDropped: 1 },
    });
    expect(await partitions()).toEqual([...made, 'delivery_attempt_default']);
  });

  it('delete nothing that the operator has named no period for, but old attempts', async () => {
    await givenLeads(10, 3_000);
    const finished = await workAll(periodicWorker('retention', pools, randomUUID()));
    expect(Object.values(finished?.outcome ?? {}).every((count) => count === 0)).toBe(true);
    expect(await leads()).toBe(11);
    const { rows } = await database.pool.query('select name, days from retention_period');
    expect(rows).toEqual([{ name: 'attempts', days: 90 }]);
  });

  it('give the api no way to delete young data', async () => {
    await period('leads', 90);
    await givenLeads(10, 89);
    const before = await partitions();
    expect(await trimByPeriods(pool, 'lead', null)).toEqual({ next_cursor: null, changed: {} });
    expect(await keepAttemptPartitions(pool)).toEqual({ act: null, partition: null });
    for (const statement of [
      `insert into retention_period (name, days) values ('webhooks', 7)`,
      `update retention_period set days = 7`,
      'delete from retention_period',
      'delete from lead',
      'delete from periodic_run',
      `drop table ${before[0]}`,
      // those of the operator act with the rights of their caller
      `select * from trim_expired('lead', 0, null, false)`,
      `select * from trim_expired('lead', -1, null, false)`,
      'select * from change_attempt_partitions(-1000)',
    ]) {
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
    // nor by other settings of its session
    const client = await pool.connect();
    await client.query(`set timezone to 'XXX-99'; set datestyle to 'SQL, DMY'; set search_path to pg_temp, public`);
    expect(await trimByPeriods(client, 'lead', null)).toEqual({ next_cursor: null, changed: {} });
    expect(await keepAttemptPartitions(client)).toEqual({ act: null, partition: null });
    client.release(true);
    expect(await leads()).toBe(11);
    expect(await partitions()).toEqual(before);
  });

  it('have no period that is too short for what a platform still asks for, not even from the operator', async () => {
    for (const [name, days] of [
      ['leads', 89],
      ['attempts', 6],
      ['imports', 6],
      ['webhooks', 6],
      ['campaigns', 399],
    ] as const) {
      await expect(period(name, days)).rejects.toMatchObject({ code: '23514' });
    }
  });
});
