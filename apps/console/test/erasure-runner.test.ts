import { openDatabase } from '@leadback/db';
import { createLogger, createMetrics } from '@leadback/runtime';
import { everyRow, givenClient, givenDatabase, secretsKeys } from '@leadback/test-fixtures';
import { describe, expect, it, vi } from 'vitest';
import { eraseNext } from '../src/erasures/erasure-runner.ts';
import { erasureKeys, keepPerson } from '../src/erasures/kept-person.ts';
import { consoleEvents } from '../src/events.ts';

const events = () => consoleEvents(createLogger('console', 'silent'), createMetrics('console'));

/** A person, and the task of erasing it, on a database that no console works on. */
const givenTask = async () => {
  const database = await givenDatabase();
  const own = await openDatabase({ url: database.url, applicationName: 'test' });
  const { account } = await givenClient(database.em(), { email: 'canary@example.com' });
  const filter = keepPerson(erasureKeys(secretsKeys), { accountId: account.id, email: 'canary@example.com' });
  await own.pool.query(
    `insert into console_task (account_id, started_by, kind, filter, total, cursor)
     values ($1, 'ana@example.com', 'erase', $2, 1, '{}')`,
    [account.id, filter],
  );
  const facts = async () => {
    const { rows } = await own.pool.query(
      `select state, filter ? 'person' as "isKept", (select count(*)::int from client where email is not null) as left,
              (select count(*)::int from audit_entry where action = 'client.erase') as receipts from console_task`,
    );
    return rows[0];
  };
  return {
    database,
    own,
    facts,
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

describe('the task of an erasure', () => {
  it('keeps the person encrypted while it waits, and no longer', async () => {
    await using given = await givenTask();
    const rows = async () =>
      [...(await everyRow(given.database))].find(([table]) => table === 'console_task')?.[1].join();
    expect(await rows()).not.toContain('canary');
    expect(await given.facts()).toEqual({ state: 'running', isKept: true, left: 1, receipts: 0 });
    expect(await eraseNext(given.own.pool, erasureKeys(secretsKeys), events())).toBe(true);
    expect(await given.facts()).toEqual({ state: 'done', isKept: false, left: 0, receipts: 1 });
    expect(await eraseNext(given.own.pool, erasureKeys(secretsKeys), events())).toBe(false);
  });

  it('is done once, by one of several consoles', async () => {
    await using given = await givenTask();
    const keys = erasureKeys(secretsKeys);
    await Promise.all([1, 2, 3].map(() => eraseNext(given.own.pool, keys, events())));
    expect(await given.facts()).toEqual({ state: 'done', isKept: false, left: 0, receipts: 1 });
  });

  it('erases nothing and can be repeated if it was cut off', async () => {
    await using given = await givenTask();
    const keys = erasureKeys(secretsKeys);
    await using another = await openDatabase({
      url: given.database.url,
      applicationName: 'another console',
      hasNoStatementTimeout: true,
    });
    const holder = await given.own.pool.connect();
    await holder.query('begin; select from client for update');
    const cutOff = eraseNext(another.pool, keys, events()).catch((error: unknown) => error);
    await vi.waitUntil(
      async () =>
        (
          await given.own.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'another console' and wait_event_type = 'Lock'`,
          )
        ).rowCount === 1,
      { timeout: 30_000, interval: 50 },
    );
    await cutOff;
    await holder.query('rollback');
    holder.release();
    expect(await given.facts()).toEqual({ state: 'running', isKept: true, left: 1, receipts: 0 });
    await eraseNext(given.own.pool, keys, events());
    expect(await given.facts()).toEqual({ state: 'done', isKept: false, left: 0, receipts: 1 });
  });

  it('fails if no key decrypts the person, and forgets the person', async () => {
    await using given = await givenTask();
    await given.own.pool.query(`update console_task set filter = filter || '{"person":"AAAA"}'`);
    await eraseNext(given.own.pool, erasureKeys(secretsKeys), events());
    expect(await given.facts()).toEqual({ state: 'failed', isKept: false, left: 1, receipts: 0 });
  });
});
