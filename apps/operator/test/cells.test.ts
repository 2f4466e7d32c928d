import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestDatabase, givenConversion, givenDatabase, shared, unique, openPatientPool } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestOperator, givenFile, givenOperator } from './given-operator.ts';

const deployed: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../deploy/rabbitmq/definitions.json'), 'utf8'),
);

const ids = (finding: string, state: string) =>
  expect.arrayContaining([expect.objectContaining({ check: 'ids', state, finding: expect.stringContaining(finding) })]);

describe('cell create, cell broker and doctor', () => {
  const stack = new AsyncDisposableStack();
  let operator: TestOperator;
  let database: TestDatabase;
  beforeAll(async () => {
    operator = stack.use(await givenOperator());
    database = stack.use(await givenDatabase());
  });
  afterAll(() => stack.disposeAsync());

  const create = (line: string, url = database.ownerUrl) =>
    operator.type(`cell create ${line} --json`, { DATABASE_URL: url });

  it('creates a cell, says what to do next, and creates it only once', async () => {
    const { out, err } = await create('zapatos --number 1');
    expect(err).toBe('');
    const cell = { cell: 'zapatos', number: 1, firstId: 1_000_000_000_001, lastId: 1_999_999_999_999, migrations: 0 };
    expect(JSON.parse(out)).toEqual({ ...cell, next: expect.any(Array) });
    expect(out).toContain('cell broker zapatos > zapatos.json');
    expect(await create('zapatos --number 1')).toEqual({ status: 0, out, err: '' });
  });

  it('creates a cell in a schema of its own, beside others in the database', async () => {
    await using server = await givenDatabase();
    const created = await create('zapatos-norte --number 5 --schema', server.ownerUrl);
    expect(created.err).toBe('');
    expect(created.out).toContain(`PGOPTIONS='-c search_path=zapatos_norte'`);
    expect(await create('zapatos-norte --number 5 --schema', server.ownerUrl)).toMatchObject({ status: 0 });
    await create('calzado --number 6 --schema', server.ownerUrl);
    const accountIn = async (schema: string) => {
      const env = { DATABASE_URL: server.url, PGOPTIONS: `-c search_path=${schema}` };
      const { out } = await operator.typeInProcess('account create --name Zapatos --json', env);
      return Number(Object(JSON.parse(out)).id);
    };
    expect(await accountIn('zapatos_norte')).toBe(5_000_000_000_001);
    expect(await accountIn('calzado')).toBe(6_000_000_000_001);
    await using owner = await openPatientPool({ url: server.ownerUrl, applicationName: 'test' });
    expect((await owner.pool.query('select from account')).rowCount).toBe(0);
  });

  it('refuses to give a database the ids of a second cell, or rows the ids of another', async () => {
    await create('zapatos --number 1');
    expect(await create('zapatos --number 2')).toMatchObject({
      status: 1,
      err: expect.stringContaining('this database is cell 1, and a cell keeps its number. Give --number 1'),
    });
    await using used = await givenDatabase();
    await givenConversion(used.em());
    expect(await create('zapatos --number 2', used.ownerUrl)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/the table \w+ has ids from 1 to 1, and those of cell 2 are from 2000000000001/),
    });
  });

  it.each([
    ['Zapatos --number 1', 'ID: expected up to 40 lower-case letters'],
    ['zapatos', '--number is missing: expected a whole number from 0 to 8999'],
    ['zapatos --number 1.5', '--number: expected a whole number from 0 to 8999'],
  ])('rejects "cell create %s" with exit status 1 and says on standard error what to fix', async (line, message) => {
    expect(await create(line)).toEqual({ status: 1, out: '', err: expect.stringContaining(message) });
  });

  it('prints the deployed definitions of RabbitMQ for the virtual host of a cell', async () => {
    const names = ['LANDING', 'API', 'FEEDBACK_WORKER', 'OPERATOR'];
    const passwords = Object.fromEntries(names.map((name) => [`RABBITMQ_${name}_PASSWORD`, unique('password')]));
    const { out, err } = await operator.type('cell broker zapatos', { ...passwords, DATABASE_URL: undefined });
    expect(err).toBe('');
    const expected = Object.entries(passwords).reduce(
      (text, [name, password]) => text.replace(`\${${name}}`, password),
      JSON.stringify(deployed).replaceAll('"leadback"', '"zapatos"'),
    );
    expect(JSON.parse(out)).toEqual(JSON.parse(expected));
  });

  it('leaves out users of RabbitMQ without a password, and refuses a password that a URL cannot have', async () => {
    const password = { RABBITMQ_API_PASSWORD: 'abc' };
    const definitions = await operator.json('cell broker zapatos', password);
    expect(definitions).toMatchObject({ users: [{ name: 'api', password: 'abc', tags: [] }] });
    expect(await operator.type('cell broker zapatos', { RABBITMQ_API_PASSWORD: 'a/b' })).toMatchObject({
      status: 1,
      err: expect.stringContaining('RABBITMQ_API_PASSWORD has a character'),
    });
  });

  it('warns about tables whose ids are not those of the cell', async () => {
    await using cell = await givenDatabase();
    await create('norte --number 3', cell.ownerUrl);
    const findings = async (): Promise<unknown> => {
      const { out } = await operator.type('doctor --json', { DATABASE_URL: cell.url });
      return JSON.parse(out);
    };
    await using owner = await openPatientPool({ url: cell.ownerUrl, applicationName: 'test' });
    expect(await findings()).toEqual(ids('all tables have the ids of cell 3', 'ok'));
    await owner.pool.query(`select setval('lead_id_seq', 3900000000000)`);
    expect(await findings()).toEqual(ids('more than 80 % of the ids of cell 3 are used in lead', 'warn'));
    await owner.pool.query('alter sequence lead_id_seq no maxvalue');
    expect(await findings()).toEqual(ids('the ids of lead have no range', 'warn'));
    await owner.pool.query(
      'alter sequence lead_id_seq minvalue 4000000000001 maxvalue 4999999999999 start 4000000000001 restart',
    );
    expect(await findings()).toEqual(ids('tables have ids of the cells 3 and 4', 'warn'));
  });
});

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
        schema: '2026-11-29-sources',
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
    await using owner = await openPatientPool({ url: empty.ownerUrl, applicationName: 'test' });
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
