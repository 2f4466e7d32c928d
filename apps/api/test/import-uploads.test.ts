import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { findImport, importResult } from '@leadback/core/imports/read';
import { cleanUpImports, storeImport } from '@leadback/core/imports/store';
import { givenAccount, givenApiKey, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';

const header = 'conversionExternalReference,clientExternalReference,amount,currency\n';

async function* cutOff() {
  yield Buffer.from(header);
  for (let row = 0; row < 3_000; row += 1) yield Buffer.from(`o${row},C1,1,USD\n`);
  throw new Error('cut off');
}

describe('an upload', async () => {
  const api = await shared(givenApi());

  const givenUploads = async () => {
    const account = await givenAccount(api.database.em());
    const about = { accountId: account.id, isTest: false, isDryRun: false, subject: 'conversion' } as const;
    const stored = async () => {
      const query = `select i.id, state, finished_at is not null as finished, (select count(*)::int from import_row where import_id = i.id) as rows
                     from import i where account_id = $1 order by id`;
      return (await api.database.pool.query(query, [account.id])).rows;
    };
    return { account, about, stored };
  };

  it('keeps a file that was stored completely although the response of the database is lost', async () => {
    const { about, stored } = await givenUploads();
    const { pool } = api.database;
    const losing: typeof pool = Object.create(pool, {
      query: {
        value: async (statement: { name: string; text: string; values: unknown[] }) => {
          const result = await pool.query(statement);
          if (statement.name === 'finish-upload') throw new Error('connection lost');
          return result;
        },
      },
    });
    const sent = storeImport(losing, about, new Blob([`${header}o1,C1,1,USD\n`]).stream());
    await expect(sent).rejects.toThrow('connection lost');
    expect(await stored()).toMatchObject([{ state: 'pending', rows: 1 }]);
  });

  it('is refused if it was cut off, and its rows are deleted later', async () => {
    const { about, stored } = await givenUploads();
    await expect(storeImport(api.database.pool, about, cutOff())).rejects.toThrow('cut off');
    await expect.poll(stored).toMatchObject([{ state: 'refused', finished: false }]);
    const [{ id }] = await stored();
    const found = await findImport(api.database.pool, about, id);
    if (!found) throw new Error('the import is missing');
    expect((await text(importResult(api.database.pool, found))).trimEnd().split('\n')).toHaveLength(1);
    await cleanUpImports(api.database.pool);
    expect(await stored()).toMatchObject([{ state: 'refused', finished: true, rows: 0 }]);
  });

  it('does not count and is refused if it ended without a trace', async () => {
    const { account, about, stored } = await givenUploads();
    const { pool } = api.database;
    const abandon = `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter, created_at)
       select $1, false, false, 'client', '{leadReference}', ',', now() - interval '21 minutes' from generate_series(1, 10)`;
    await pool.query(abandon, [account.id]);
    await storeImport(pool, about, new Blob([header]).stream());
    await cleanUpImports(pool);
    await cleanUpImports(pool);
    const states = (await stored()).map(({ state, finished }) => [state, finished]);
    expect(states.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => ['refused', true]));
    expect(states.at(-1)).toEqual(['done', true]);
  });

  it('gets its response although it is refused early and the caller reads only after the whole file', async () => {
    const { account } = await givenUploads();
    const key = await givenApiKey(api.database.em(), { account });
    const file = Buffer.from(`nothing\n${'x\n'.repeat(8 * 2 ** 20)}`);
    const socket = connect(api.port, '127.0.0.1');
    const head = `POST /api/v1/import?of=conversion HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: text/csv\r\n`;
    socket.write(`${head}Content-Length: ${file.length}\r\n\r\n`);
    await new Promise((resolve) => socket.write(file, resolve));
    // the connection serves the next request, too
    socket.write('GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const statuses = (await text(socket)).match(/HTTP\/1\.1 \d+/g);
    expect(statuses?.[0]).toBe('HTTP/1.1 400');
    expect(statuses).toHaveLength(2);
  });
});
