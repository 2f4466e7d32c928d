import { listRetries } from '@leadback/core/delivery/retry';
import { openDatabase } from '@leadback/db';
import { createLogger, createMetrics } from '@leadback/server/app';
import { givenClient, givenConnection, givenDatabase } from '@leadback/testing';
import { expect, it } from 'vitest';
import { consoleEvents } from '../src/events.ts';
import { workOnRetries } from '../src/jobs.ts';

const events = () => consoleEvents(createLogger('console', 'silent'), createMetrics('console'));

/** 1,200 failed deliveries, and a task that sends them again. */
const givenTask = async () => {
  const database = await givenDatabase();
  const own = await openDatabase({ url: database.url, applicationName: 'test' });
  const em = database.em();
  const connection = await givenConnection(em);
  const account = await connection.account.loadOrFail();
  const client = await givenClient(em, { account });
  await own.pool.query(
    `with sold as (
       insert into conversion (account_id, client_id, lead_id, amount, currency, event_id, landing_page_id, campaign)
       select $1, $2, (select lead_id from client where id = $2), 10, 'USD', gen_random_uuid(), $4, '' from generate_series(1, 1200) returning id)
     insert into delivery (account_id, conversion_id, connection_id, occurred_at, landing_page_id, campaign, state, reason, closed_at)
     select $1, id, $3, now(), $4, '', 'failed', 'HTTP 500', now() from sold`,
    [account.id, client.id, connection.id, client.landingPageId],
  );
  await own.pool.query(
    `insert into retry_task (account_id, started_by, filter, total, cursor)
     select $1, 'ana@example.com', '{}', 1200,
            json_build_object('connectionId', 0, 'id', 0, 'lastId', max(id)) from delivery`,
    [account.id],
  );
  const query = async (sql: string) => (await own.pool.query(sql)).rows;
  const counts = async () => ({
    pending: (await query(`select count(*)::int from delivery where state = 'pending'`))[0],
    requeued: (await query(`select count(*)::int from delivery_attempt where outcome = 'requeued'`))[0],
    task: (await query('select state, done from retry_task'))[0],
  });
  return {
    own,
    asOwner: (statement: string) => database.asOwner(statement),
    url: database.url,
    counts,
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

it('goes on with a retry where it was when a part of it was cut off, and sends nothing twice', async () => {
  await using given = await givenTask();
  await workOnRetries(given.own.pool, events());
  expect(await given.counts()).toMatchObject({ pending: { count: 500 }, task: { state: 'running', done: 500 } });
  // its next part waits for a delivery, and ends before it gets it
  await using another = await openDatabase({
    url: given.url,
    applicationName: 'another console',
    hasNoStatementTimeout: true,
  });
  const holder = await given.own.pool.connect();
  await holder.query('begin; select from delivery where id = (select max(id) - 500 from delivery) for update');
  const cutOff = workOnRetries(another.pool, events()).catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rowCount } = await given.own.pool.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
       where application_name = 'another console' and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    })
    .toBe(true);
  expect(await cutOff).toMatchObject({ code: '57014' });
  await holder.query('rollback');
  holder.release();
  expect(await given.counts()).toMatchObject({ pending: { count: 500 }, task: { state: 'running', done: 500 } });
  // it pauses after a failure
  expect(await workOnRetries(given.own.pool, events())).toBe(false);
  await given.own.pool.query('update retry_task set due_at = now()');
  while (await workOnRetries(given.own.pool, events()));
  expect(await given.counts()).toEqual({
    pending: { count: 1200 },
    requeued: { count: 1200 },
    task: { state: 'done', done: 1200 },
  });
});

it('tells how the deliveries that a retry sent again have ended by now', async () => {
  await using given = await givenTask();
  while (await workOnRetries(given.own.pool, events()));
  await given.own.pool.query(
    `update delivery set state = case when id % 4 = 0 then 'delivered' when id % 4 = 1 then 'skipped' else state end`,
  );
  const { rows } = await given.own.pool.query('select account_id as "accountId" from retry_task');
  expect(await listRetries(given.own.pool, rows[0])).toMatchObject([
    { done: 1200, outcome: { delivered: 300, failed: 0, skipped: 300, pending: 600 } },
  ]);
});

it('lets one of several consoles do each part of a retry', async () => {
  await using given = await givenTask();
  const work = async () => {
    for (let idle = 0; idle < 3; ) idle = (await workOnRetries(given.own.pool, events())) ? 0 : idle + 1;
  };
  await Promise.all([work(), work(), work()]);
  while (await workOnRetries(given.own.pool, events()));
  expect(await given.counts()).toEqual({
    pending: { count: 1200 },
    requeued: { count: 1200 },
    task: { state: 'done', done: 1200 },
  });
});

it('gives up a retry that has failed ten times, says so, and goes on with others', async () => {
  await using given = await givenTask();
  await given.own.pool.query(`update retry_task set cursor = '{}', failures = 8`);
  await expect(workOnRetries(given.own.pool, events())).rejects.toThrow('connectionId');
  await given.own.pool.query('update retry_task set due_at = now()');
  expect(await workOnRetries(given.own.pool, events())).toBe(true);
  expect(await given.counts()).toMatchObject({ pending: { count: 0 }, task: { state: 'failed', done: 0 } });
  expect(await workOnRetries(given.own.pool, events())).toBe(false);
});

it('counts and tells of a part once it is committed, and not of one whose commit fails', async () => {
  await using given = await givenTask();
  // a check that PostgreSQL makes at the commit
  await given.asOwner(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = '57P01'; end $$`,
  );
  await given.asOwner(`create constraint trigger refused after update on retry_task deferrable initially deferred
    for each row execute function refuse()`);
  const told: unknown[] = [];
  const listening = {
    ...events(),
    deliveriesRetried: (deliveries: number) => told.push(deliveries),
    taskDone: ({ done }: { readonly done: number }) => told.push({ done }),
  };
  await expect(workOnRetries(given.own.pool, listening)).rejects.toMatchObject({ code: '57P01' });
  expect([told, (await given.counts()).task]).toEqual([[], { state: 'running', done: 0 }]);
  await given.asOwner('drop trigger refused on retry_task');
  while (await workOnRetries(given.own.pool, listening));
  expect(told).toEqual([500, 500, 200, 0, { done: 1200 }]);
});
