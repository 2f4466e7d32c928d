import { setTimeout as pause } from 'node:timers/promises';
import {
  type ListedRow,
  deleteCutOffList,
  deleteReconciliation,
  storeList,
} from '@leadback/core/reconciliation/create';
import { findReconciliation } from '@leadback/core/reconciliation/read';
import { startReplay } from '@leadback/core/reconciliation/replay';
import { workOnNextReconciliation } from '@leadback/core/reconciliation/work';
import { givenAccount, givenClient, givenContacts, givenDatabase, givenFailingRows, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const triesMax = 10;
// raised by what PostgreSQL can never do, and by what it cannot do now
const bug = '42703';
const shutdown = '57P01';
const range = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };

const thrown = (times: number) => Array.from({ length: times }, () => 'thrown');

describe('a list whose rows fail again and again', async () => {
  const database = await shared(givenDatabase());

  const givenList = async (rows: number) => {
    const account = await givenAccount(database.em());
    await givenClient(database.em(), { account, externalReference: 'C1' });
    const { pool } = database;
    const mode = { accountId: account.id, isTest: false };
    async function* list() {
      const sale = { amount: '1', currency: 'USD', clientExternalReference: 'C1' };
      yield Array.from(
        { length: rows },
        (_, index): ListedRow => ({ ...sale, externalReference: `order-${index + 1}` }),
      );
    }
    const id = await storeList(pool, givenContacts(), { ...mode, range, rows: list() });
    const work = (one?: number) => workOnNextReconciliation(pool, givenContacts(), one);
    const read = () => findReconciliation(pool, mode, id);
    const workOff = async () => {
      while ((await work(id))?.isDone === false);
    };
    /** Works until the first failure; then tries so often, each time as if the pause were over. Returns what was thrown. */
    const tryAgain = async (times: number) => {
      await workOff().catch(() => {});
      const results: unknown[] = [];
      for (let count = 1; count < times; count += 1) {
        await pool.query('update reconciliation set due_at = now() where id = $1', [id]);
        results.push(await work(id).catch(() => 'thrown'));
      }
      return results;
    };
    const replay = () => startReplay(pool, mode, { id, outcomes: ['missing'], isDryRun: false });
    return { account, pool, id, work, workOff, read, tryAgain, replay };
  };

  it('ends a comparison and keeps what was compared', async () => {
    const { account, id, work, read, tryAgain } = await givenList(2_500);
    const when = `new.account_id = ${account.id} and new.number > 2000 and new.outcome is not null`;
    await using _failing = await givenFailingRows(database, { table: 'reconciliation_row', when, sqlState: bug });
    expect(await tryAgain(triesMax)).toEqual([
      ...thrown(triesMax - 2),
      expect.objectContaining({ id, step: 'compare', isDone: true, error: expect.anything() }),
    ]);
    expect(await read()).toMatchObject({
      state: 'failed',
      done: 2_000,
      counts: { missing: 2_000 },
      finishedAt: expect.any(Date),
    });
    expect(await work(id)).toBeUndefined();
  });

  it('ends a replay and keeps what was registered, and another replay registers the rest', async () => {
    const { account, workOff, read, tryAgain, replay } = await givenList(250);
    await workOff();
    await replay();
    const when = `new.account_id = ${account.id} and new.external_reference = 'order-222'`;
    const failing = await givenFailingRows(database, { table: 'conversion', when, sqlState: bug });
    await tryAgain(triesMax);
    expect(await read()).toMatchObject({ state: 'done', replay: { state: 'failed', counts: { created: 200 } } });

    await failing[Symbol.asyncDispose]();
    await replay();
    await workOff();
    expect(await read()).toMatchObject({ state: 'done', replay: { state: 'done', counts: { created: 50 } } });
  });

  it('goes on with a list, however often the database was unavailable', async () => {
    const { account, workOff, read, tryAgain } = await givenList(10);
    const failing = await givenFailingRows(database, {
      table: 'reconciliation_row',
      when: `new.account_id = ${account.id} and new.outcome is not null`,
      sqlState: shutdown,
    });
    expect(await tryAgain(3 * triesMax)).toEqual(thrown(3 * triesMax - 1));
    await failing[Symbol.asyncDispose]();
    await workOff();
    expect(await read()).toMatchObject({ state: 'done', counts: { missing: 10 } });
  });

  it('pauses after a failure, and works on other lists meanwhile', async () => {
    const { account, id, work, pool } = await givenList(10);
    const other = await givenList(10);
    const when = `new.account_id = ${account.id} and new.outcome is not null`;
    await using _failing = await givenFailingRows(database, { table: 'reconciliation_row', when, sqlState: bug });
    await expect(work(id)).rejects.toThrow('a failure of a test');
    expect(await work(id)).toBeUndefined();
    expect(await work()).toMatchObject({ id: other.id });
    const { rows } = await pool.query('select due_at > now() as waits from reconciliation where id = $1', [id]);
    expect(rows).toEqual([{ waits: true }]);
  });
});

const row: ListedRow = { externalReference: 'order-1', amount: '1', currency: 'USD' };

describe('the upload of a list', async () => {
  const database = await shared(givenDatabase());

  const given = async () => {
    const { id: accountId } = await givenAccount(database.em());
    const { pool } = database;
    const passHours = (hours: number) =>
      pool.query(
        `update reconciliation set due_at = due_at - $2 * interval '1 hour', created_at = created_at - $2 * interval '1 hour'
         where account_id = $1`,
        [accountId, hours],
      );
    const stored = async () => {
      const { rows } = await pool.query<{ lists: string; rows: string }>(
        `select (select count(*) from reconciliation where account_id = $1) as lists,
                (select count(*) from reconciliation_row where account_id = $1) as rows`,
        [accountId],
      );
      return { lists: Number(rows[0]?.lists), rows: Number(rows[0]?.rows) };
    };
    const create = (rows: AsyncIterable<readonly ListedRow[]>) =>
      storeList(pool, givenContacts(), { accountId, isTest: false, range, rows });
    return { accountId, pool, passHours, stored, create };
  };

  it('may last for hours as long as rows arrive', async () => {
    const { pool, passHours, stored, create } = await given();
    async function* slow() {
      for (let hour = 0; hour < 3; hour += 1) {
        yield [row, row];
        await passHours(0.9);
        expect(await deleteCutOffList(pool)).toBe(false);
      }
    }
    await create(slow());
    expect(await stored()).toEqual({ lists: 1, rows: 6 });
  });

  it('fails if no row arrives for an hour, and leaves nothing behind, whatever arrives later', async () => {
    const { pool, passHours, stored, create } = await given();
    async function* late() {
      yield [row];
      await passHours(1.1);
      expect(await deleteCutOffList(pool)).toBe(true);
      yield [row];
    }
    await expect(create(late())).rejects.toMatchObject({
      code: 'invalid-json',
      message: 'the request took too long to arrive',
    });
    expect(await stored()).toEqual({ lists: 0, rows: 0 });
  });

  it('leaves no row without its list, whenever the list is deleted', async () => {
    const { accountId, pool, stored, create } = await given();
    const idOfList = async () => {
      const { rows } = await pool.query<{ id: number }>('select id from reconciliation where account_id = $1', [
        accountId,
      ]);
      return Number(rows[0]?.id);
    };
    for (let round = 0; round < 10; round += 1) {
      let deleting: Promise<void> = Promise.resolve();
      const rows = Array.from({ length: 500 }, () => row);
      async function* interrupted() {
        yield rows;
        const id = await idOfList();
        deleting = pause(round).then(() => deleteReconciliation(pool, id));
        for (let slices = 0; slices < 20; slices += 1) yield rows;
        await deleting;
      }
      await expect(create(interrupted())).rejects.toMatchObject({ code: 'invalid-json' });
      await deleting;
      expect(await stored()).toEqual({ lists: 0, rows: 0 });
    }
  });
});
