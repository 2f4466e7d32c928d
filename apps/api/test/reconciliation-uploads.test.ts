import { setTimeout as pause } from 'node:timers/promises';
import {
  deleteCutOffList,
  deleteReconciliation,
  type ListedRow,
  storeList,
} from '@leadback/core/reconciliation/create';
import { givenContacts, givenAccount, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const row: ListedRow = { externalReference: 'order-1', amount: '1', currency: 'USD' };
const range = { from: '2026-10-01T00:00:00Z', until: '2026-11-01T00:00:00Z' };

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
