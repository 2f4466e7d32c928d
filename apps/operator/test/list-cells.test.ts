import { openPool } from '@leadback/db';
import { givenConversion, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenFile } from './given-file.ts';
import { givenOperator } from './given-operator.ts';

const nowhere = 'postgres://nobody:secret@127.0.0.1:9/leadback';

describe('cell list and account list', async () => {
  const operator = await shared(givenOperator());

  const create = (line: string, url: string) => operator.json(`cell create ${line}`, { DATABASE_URL: url });

  it('lists all cells, those that do not respond with the reason, with exit status 1', async () => {
    await using cell = await givenDatabase();
    await create('norte --number 3', cell.ownerUrl);
    await givenConversion(cell.em());
    const cells = { norte: { databaseUrl: cell.url }, sur: { databaseUrl: nowhere } };
    const file = await givenFile('cells.json', JSON.stringify(cells));
    const { status, out } = await operator.type(`cell list --cells ${file} --json`, { DATABASE_URL: undefined });
    expect(status).toBe(1);
    expect(JSON.parse(out)).toEqual([
      {
        cell: 'norte',
        number: 3,
        schema: 'initial',
        activeAccounts: 1,
        accounts: 1,
        oldestDueSeconds: 0,
        conversionsYesterday: 0,
        conversionsToday: 1,
        problem: null,
      },
      expect.objectContaining({ cell: 'sur', number: null, problem: expect.stringContaining('cannot be reached') }),
    ]);
    expect(out).not.toContain('secret');
  });

  it('lists cells from CELLS_FILE, with schemas, and exit status 0 if all ids are apart', async () => {
    await using server = await givenDatabase();
    await create('norte --number 1 --schema', server.ownerUrl);
    await create('sur --number 2 --schema', server.ownerUrl);
    const databaseUrl = server.url.replace(/[^/]+$/, '${NAME_OF_DATABASE}');
    const entry = (schema: string) => ({ databaseUrl, options: `-c search_path=${schema}` });
    const cells = { norte: entry('norte'), sur: entry('sur') };
    const CELLS_FILE = await givenFile('cells.json', JSON.stringify(cells));
    const NAME_OF_DATABASE = new URL(server.url).pathname.slice(1);
    expect(await operator.json('cell list', { CELLS_FILE, NAME_OF_DATABASE })).toMatchObject([
      { cell: 'norte', number: 1, problem: null },
      { cell: 'sur', number: 2, problem: null },
    ]);
    expect((await operator.type('cell list', { CELLS_FILE })).err).toContain('NAME_OF_DATABASE is not set');
  });

  it('says which cells are not migrated, have no ids of their own, or those of another', async () => {
    await using plain = await givenDatabase();
    await using empty = await givenDatabase();
    await using owner = await openPool({ url: empty.ownerUrl, applicationName: 'test' });
    await owner.pool.query('drop schema public cascade; create schema public; grant usage on schema public to public');
    const { database } = operator;
    await create('zapatos --number 1', database.ownerUrl);
    const urls = { norte: database.url, sur: database.url, plain: plain.url, empty: empty.url };
    const cells = Object.entries(urls).map(([name, databaseUrl]) => [name, { databaseUrl }]);
    const file = await givenFile('cells.json', JSON.stringify(Object.fromEntries(cells)));
    const { status, out } = await operator.type(`cell list --cells ${file} --json`);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject([
      { problem: 'it has the ids of cell sur: both are number 1' },
      { problem: 'it has the ids of cell norte: both are number 1' },
      { problem: expect.stringContaining('its ids have no range of their own') },
      { schema: 'not migrated', problem: expect.stringContaining('run `cell create`') },
    ]);
  });

  it('lists the accounts of all cells', async () => {
    await using cell = await givenDatabase();
    await create('norte --number 3', cell.ownerUrl);
    await operator.json('account create --name Calzado', { DATABASE_URL: cell.url });
    const cells = { norte: { databaseUrl: cell.url }, sur: { databaseUrl: nowhere } };
    const file = await givenFile('cells.json', JSON.stringify(cells));
    const { status, out } = await operator.type(`account list --cells ${file} --json`);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ cell: 'norte', problem: null, id: 3_000_000_000_001, name: 'Calzado' }),
      { cell: 'sur', problem: expect.stringContaining('cannot be reached') },
    ]);
  });

  it('refuses a list of cells that is missing or invalid, or would not be encrypted, and shows no password', async () => {
    const remote = { sur: { databaseUrl: 'postgres://nobody:secret@db.example/leadback' } };
    const tries = [
      { line: '', message: 'give --cells FILE, or set CELLS_FILE' },
      { line: ` --cells ${await givenFile('no.json', 'secret')}`, message: 'is not a list of cells' },
      {
        line: ` --cells ${await givenFile('remote.json', JSON.stringify(remote))}`,
        message: 'the connection to db.example would not be encrypted',
      },
    ];
    for (const { line, message } of tries) {
      const { status, err } = await operator.type(`cell list${line}`);
      expect([status, err]).toEqual([1, expect.stringContaining(message)]);
      expect(err).not.toContain('secret');
    }
  });
});
