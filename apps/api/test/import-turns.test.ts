import { importWorker } from '@leadback/core/imports/work';
import { imports } from '@leadback/core/imports/store';
import { type Account } from '@leadback/db';
import { givenAccount, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

type Register = Parameters<typeof importWorker>[1];

const header = 'conversionExternalReference,clientExternalReference,amount,currency\n';
const oneRow = `${header}o1,C1,1,USD\n`;

const created: Register['conversion'] = (_on, _mode, items) =>
  Promise.resolve({ outcomes: items.map(() => ({ outcome: 'created' })), parcels: [] });

describe('the turns of open imports', async () => {
  const database = await shared(givenDatabase());
  const files = imports(database.pool);

  const upload = async ({ id: accountId }: Account, text = oneRow) => {
    const about = { accountId, isTest: false, isDryRun: false, subject: 'conversion' } as const;
    return (await files.store(about, new Blob([text]).stream())).id;
  };
  const worker = (conversion = created) => importWorker(database.pool, { client: created, conversion });

  it('works on the oldest import of an account before the next one, and takes turns with other accounts', async () => {
    const [one, two] = [await givenAccount(database.em()), await givenAccount(database.em())];
    const many = header + Array.from({ length: 250 }, (_, index) => `o${index},C1,1,USD\n`).join('');
    const ids = [await upload(one, many), await upload(one), await upload(two, many)];
    const next = worker();
    const order = [];
    for (let step = await next(); step; step = await next()) order.push(ids.indexOf(step.id));
    expect(order.filter((id) => id !== 2)).toEqual([0, 0, 1]);
    expect(order.slice(0, 2)).toEqual([0, 2]);
  });

  it('leaves the imports of a suspended account until it is active again', async () => {
    const em = database.em();
    const account = await givenAccount(em, { status: 'suspended' });
    const id = await upload(account);
    const next = worker();
    expect(await next()).toBeUndefined();
    await database.pool.query(`update account set status = 'active' where id = $1`, [account.id]);
    expect((await next())?.id).toBe(id);
  });

  it('refuses only the row that failed, although another instance takes that import meanwhile', async () => {
    const [one, two] = [await givenAccount(database.em()), await givenAccount(database.em())];
    const [poisoned, good] = [await upload(one), await upload(two)];
    const other = await database.pool.connect();
    let isTaken = false;
    let hasFailed = false;
    // the other instance takes the import as soon as this one has rolled back
    const pool: typeof database.pool = Object.create(database.pool, {
      connect: {
        value: async () => {
          if (hasFailed && !isTaken) {
            isTaken = true;
            await other.query('begin');
            await other.query('select from import where id = $1 for update', [poisoned]);
          }
          return database.pool.connect();
        },
      },
    });
    const next = importWorker(pool, {
      client: created,
      conversion: (on, mode, items) => {
        if (mode.accountId !== one.id) return created(on, mode, items);
        hasFailed = true;
        return Promise.reject(Object.assign(new Error('poison'), { code: '22000' }));
      },
    });
    // the slice is halved before the other instance takes it
    const step = await next();
    await other.query('rollback');
    other.release();
    expect(step).toMatchObject({ id: good, rows: [{ outcome: 'created' }] });
    expect(await worker()()).toMatchObject({ id: poisoned, rows: [{ outcome: 'created' }] });
  });

  it('counts rows that an erasure closed', async () => {
    const account = await givenAccount(database.em());
    const id = await upload(account, `${oneRow}o2,C1,1,USD\n`);
    await database.pool.query(`update import_row set outcome = 'refused' where import_id = $1 and line = 3`, [id]);
    await worker()();
    const found = await files.find({ accountId: account.id, isTest: false }, id);
    expect(found).toMatchObject({ state: 'done', done: 2, counts: { created: 1, refused: 1 } });
  });
});
