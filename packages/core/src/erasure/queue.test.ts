import { openPool } from '@leadback/db';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { everyRow, givenClient, secretsKeys } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenErasures, type GivenErasures } from '../../test/given-erasures.ts';

const email = 'canary@example.com';

const givenPending = async () => {
  const given = await givenErasures();
  const { account } = await givenClient(given.database.em(), { email });
  const id = await given.ask({ accountId: account.id, subject: { email } });
  return { given, id };
};

const facts = async ({ database: { pool } }: GivenErasures) => {
  const { rows } = await pool.query(
    `select state, failures, subject is not null as "isKept", receipt is not null as "hasReceipt",
            (select count(*)::int from client where contact is not null) as left,
            (select count(*)::int from audit_entry where action = 'client.erase') as entries from erasure`,
  );
  return rows[0];
};
const pending = { state: 'pending', failures: 0, isKept: true, hasReceipt: false, left: 1, entries: 0 };
const done = { state: 'done', failures: 0, isKept: false, hasReceipt: true, left: 0, entries: 1 };

describe('the queue of erasures', () => {
  it('keeps the person encrypted while an erasure waits, and no longer', async () => {
    const { given, id } = await givenPending();
    await using _given = given;
    const rows = async () => (await everyRow(given.database)).get('erasure')?.join();
    expect(await rows()).not.toContain('canary');
    expect(await facts(given)).toEqual(pending);
    expect(await given.perform()).toMatchObject({ id, outcome: 'done', isAnyoneErased: true });
    expect(await facts(given)).toEqual(done);
    expect(await given.perform()).toBeUndefined();
  });

  it('is worked off once by several instances of the api', async () => {
    const { given } = await givenPending();
    await using _given = given;
    const instances = await Promise.all(
      [1, 2, 3].map(() => openPool({ url: given.database.urlOf('api'), applicationName: 'test' })),
    );
    const steps = await Promise.all(instances.map(({ pool }) => performNextErasure(pool, given.tools)));
    expect(steps.filter((step) => step !== undefined)).toHaveLength(1);
    expect(await facts(given)).toEqual(done);
    for (const instance of instances) await instance[Symbol.asyncDispose]();
  });

  it('has changed nothing of an erasure whose process was killed, and performs it again', async () => {
    const { given } = await givenPending();
    await using _given = given;
    // a role may end its own sessions
    await using killer = await openPool({ url: given.database.urlOf('api'), applicationName: 'killer' });
    const holder = await given.database.pool.connect();
    await holder.query('begin; select from client for update');
    const cutOff = given.perform().catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const ended = await killer.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'erasures' and wait_event_type = 'Lock'`,
        );
        return ended.rowCount === 1;
      })
      .toBe(true);
    await cutOff;
    await holder.query('rollback');
    holder.release();
    expect(await facts(given)).toEqual(pending);
    expect(await given.perform()).toMatchObject({ outcome: 'done' });
    expect(await facts(given)).toEqual(done);
  });

  it('tries an erasure again later if no key decrypts the person, and names the person no more when it gives up', async () => {
    const { given } = await givenPending();
    await using _given = given;
    const foreign = erasureTools([Buffer.alloc(32, 9)], 30);
    const fail = () => performNextErasure(given.api, foreign);
    expect(await fail()).toMatchObject({ outcome: 'retry' });
    expect(await fail()).toBeUndefined();
    expect(await facts(given)).toEqual({ ...pending, failures: 1 });
    const { pool } = given.database;
    const { rows } = await pool.query<{ s: number }>(
      'select extract(epoch from due_at - now())::int as s from erasure where due_at > now()',
    );
    expect(rows[0]?.s).toBeLessThan(6);
    await pool.query('update erasure set due_at = now(), failures = 19');
    expect(await fail()).toMatchObject({ outcome: 'failed' });
    expect(await facts(given)).toEqual({ ...pending, state: 'failed', failures: 20, isKept: false });
    expect(await given.perform()).toBeUndefined();
  });

  it('is verified with keys from before a rotation of SECRETS_KEY', async () => {
    const { given, id } = await givenPending();
    await using _given = given;
    await given.perform();
    const [old] = secretsKeys;
    const { account } = await givenClient(given.database.em(), { email });
    const another = await given.ask({ accountId: account.id, subject: { email } });
    expect(await performNextErasure(given.api, erasureTools([Buffer.alloc(32, 9), old], 30))).toMatchObject({
      outcome: 'done',
    });
    const receipts = [await given.receiptOf(id), await given.receiptOf(another)];
    expect(receipts.map((receipt) => receipt.id)).toEqual([id, another]);
    const { rows } = await given.database.pool.query('select count(distinct key_id)::int as keys from erasure');
    expect(rows).toEqual([{ keys: 2 }]);
  });
});
