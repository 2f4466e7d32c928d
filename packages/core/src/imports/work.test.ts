import { findImport, importResult } from '@leadback/core/imports/read';
import { storeImport } from '@leadback/core/imports/store';
import { type ItemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import type { Account } from '@leadback/db';
import { givenAccount, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const header = 'conversionExternalReference,clientExternalReference,amount,currency\n';
const oneRow = `${header}o1,C1,1,USD\n`;

const created: ItemRegistrars['conversion'] = (_on, _mode, items) =>
  Promise.resolve({ outcomes: items.map(() => ({ outcome: 'created' })), parcels: [] });

describe('the turns of open imports', async () => {
  const database = await shared(givenDatabase());

  const upload = async ({ id: accountId }: Account, text = oneRow) => {
    const about = { accountId, isTest: false, isDryRun: false, subject: 'conversion' } as const;
    return (await storeImport(database.pool, about, new Blob([text]).stream())).id;
  };
  const next = (conversion = created) => workOnNextImport(database.pool, { client: created, conversion });

  it('works on the oldest import of an account before the next one, and takes turns with other accounts', async () => {
    const [one, two] = [await givenAccount(database.em()), await givenAccount(database.em())];
    const many = header + Array.from({ length: 250 }, (_, index) => `o${index},C1,1,USD\n`).join('');
    const ids = [await upload(one, many), await upload(one), await upload(two, many)];
    const order = [];
    for (let step = await next(); step; step = await next()) order.push(ids.indexOf(step.id));
    expect(order.filter((id) => id !== 2)).toEqual([0, 0, 1]);
    expect(order.slice(0, 2)).toEqual([0, 2]);
  });

  it('leaves the imports of a suspended account until it is active again', async () => {
    const em = database.em();
    const account = await givenAccount(em, { status: 'suspended' });
    const id = await upload(account);
    expect(await next()).toBeUndefined();
    await database.pool.query(`update account set status = 'active' where id = $1`, [account.id]);
    expect((await next())?.id).toBe(id);
  });

  it('refuses only the row that failed, while no other instance can take that import', async () => {
    const [one, two] = [await givenAccount(database.em()), await givenAccount(database.em())];
    const [poisoned, good] = [await upload(one, `${oneRow}o2,C1,1,USD\n`), await upload(two)];
    const meanwhile: unknown[] = [];
    const step = await next(async (on, mode, items) => {
      if (meanwhile.length === 0) meanwhile.push((await next())?.id, await next());
      if (items.length === 1) return created(on, mode, items);
      // the slice is halved
      throw Object.assign(new Error('poison'), { code: '22000' });
    });
    expect([step?.id, meanwhile]).toEqual([poisoned, [good, undefined]]);
    expect(step?.rows).toMatchObject([{ outcome: 'created' }]);
    const refusing = await next(() => Promise.reject(Object.assign(new Error('poison'), { code: '22000' })));
    expect(refusing).toMatchObject({ id: poisoned, rows: [{ outcome: 'refused' }], isFinished: true });
  });

  it('counts rows that an erasure closed', async () => {
    const account = await givenAccount(database.em());
    const id = await upload(account, `${oneRow}o2,C1,1,USD\n`);
    await database.pool.query(`update import_row set outcome = 'refused' where import_id = $1 and line = 3`, [id]);
    await next();
    const found = await findImport(database.pool, { accountId: account.id, isTest: false }, id);
    expect(found).toMatchObject({ state: 'done', done: 2, counts: { created: 1, refused: 1 } });
  });
});

const triesMax = 10;
const thrown = (times: number) => Array.from({ length: times }, () => 'thrown');

describe('an import whose rows fail again and again', async () => {
  const database = await shared(givenDatabase());

  const givenImport = async (failure: unknown) => {
    const { id: accountId } = await givenAccount(database.em());
    const { pool } = database;
    const about = { accountId, isTest: false, isDryRun: false, subject: 'conversion' } as const;
    const upload = async (rows: number) => {
      const lines = Array.from({ length: rows }, (_, index) => `o${index},C1,1,USD\n`).join('');
      const text = `conversionExternalReference,clientExternalReference,amount,currency\n${lines}`;
      return (await storeImport(pool, about, new Blob([text]).stream())).id;
    };
    const ids = [await upload(250), await upload(1)] as const;
    let isFailing = true;
    const register: ItemRegistrars['conversion'] = (_on, _mode, items) =>
      isFailing && items.length === 50
        ? Promise.reject(failure)
        : Promise.resolve({ outcomes: items.map(() => ({ outcome: 'created' })), parcels: [] });
    const workOff = () => workOnNextImport(pool, { client: register, conversion: register });
    const tryAgain = async (times: number) => {
      await workOff();
      const results: unknown[] = [];
      for (let count = 0; count < times; count += 1) {
        await pool.query('update import set due_at = now() where account_id = $1', [accountId]);
        results.push(await workOff().catch(() => 'thrown'));
      }
      return results;
    };
    const read = (id: number) => findImport(pool, about, id);
    const result = async (id: number) => {
      const found = await read(id);
      let text = '';
      if (found) for await (const part of importResult(pool, found)) text += part;
      return text.trimEnd().split('\n').slice(1);
    };
    const stopFailing = () => {
      isFailing = false;
    };
    return { ids, workOff, tryAgain, read, result, stopFailing };
  };

  it('ends an import, keeps the outcomes of its rows, and goes on with the next file of the account', async () => {
    const { ids, workOff, tryAgain, read, result } = await givenImport(new TypeError('a bug'));
    const [first, second] = ids;
    expect(await tryAgain(triesMax)).toEqual([
      ...thrown(triesMax - 1),
      expect.objectContaining({ id: first, isFinished: true, rows: [], error: expect.anything() }),
    ]);
    expect(await read(first)).toMatchObject({
      state: 'failed',
      done: 200,
      counts: { created: 200 },
      message: 'internal error; rows without an outcome are not registered; give support the id of the import',
      finishedAt: expect.any(Date),
    });
    const rows = await result(first);
    expect(rows).toHaveLength(250);
    expect(rows.filter((row) => row.endsWith(',"created",,'))).toHaveLength(200);
    expect(await workOff()).toMatchObject({ id: second, isFinished: true });
  });

  it('goes on with an import, however often the database was unavailable', async () => {
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    const { ids, workOff, tryAgain, read, stopFailing } = await givenImport(away);
    expect(await tryAgain(3 * triesMax)).toEqual(thrown(3 * triesMax));
    stopFailing();
    while (await workOff());
    expect(await read(ids[0])).toMatchObject({ state: 'done', counts: { created: 250 } });
  });

  it('lets an import wait after a failure', async () => {
    const { ids, workOff, read } = await givenImport(new TypeError('a bug'));
    await workOff();
    await expect(workOff()).rejects.toThrow('a bug');
    expect(await workOff()).toBeUndefined();
    expect(await read(ids[0])).toMatchObject({ state: 'running', done: 200 });
  });
});
