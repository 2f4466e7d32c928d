import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { Conversion } from '@leadback/db';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenContacts,
  givenWorkbook,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { givenFile, givenOperator } from './given-operator.ts';

const sales = 'conversionExternalReference,clientExternalReference,amount,currency\no1,C1,1,USD\no2,nobody,1,USD\n';

describe('the imports of the operator', async () => {
  const operator = await shared(givenOperator());

  const givenCustomer = async ({ isTest = false } = {}) => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1', isTest });
    return account.id;
  };

  /** Works off imports, as an api does, until it has finished one. */
  const workOff = async (): Promise<void> => {
    const register = itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts());
    while ((await workOnNextImport(operator.database.pool, register))?.isFinished !== true);
  };

  it('imports a file, waits for its outcome, and writes the result', async () => {
    const account = await givenCustomer();
    const path = await givenFile('orders.csv', sales);
    const [created] = await Promise.all([
      operator.json(`import create --account ${account} --of conversion --file ${path}`),
      workOff(),
    ]);
    const { id } = Object(created);
    expect(created).toMatchObject({
      of: 'conversion',
      isTest: false,
      dryRun: false,
      state: 'done',
      rows: 2,
      done: 2,
      counts: { created: 1, not_from_an_ad: 1 },
      next: null,
    });
    const result = `${path}.result`;
    expect(await operator.json(`import show ${id} --result ${result}`)).toEqual(created);
    expect(await readFile(result, 'utf8')).toMatch(
      /\n"o1","C1","1","USD","created",\d+,\n"o2","nobody","1","USD","not_from_an_ad",,"no client/,
    );
    expect((await operator.type(`import show ${id} --result ${result}`)).err).toContain(
      'exists already: name a new file',
    );
    const elsewhere = (await operator.type(`import show ${id} --result ${path}/x.csv`)).err;
    expect(elsewhere).toContain('ENOTDIR');
    expect(elsewhere).not.toContain('name a new file');
    const [listed] = [await operator.json(`import list --account ${account}`)].flat();
    expect({ ...Object(listed), next: null }).toEqual(created);
  });

  it('imports as a test and as a dry run', async () => {
    const account = await givenCustomer({ isTest: true });
    const path = await givenFile('orders.csv', sales);
    const [created] = await Promise.all([
      operator.json(`import create --account ${account} --of conversion --file ${path} --test --dry-run`),
      workOff(),
    ]);
    expect(created).toMatchObject({ isTest: true, dryRun: true, counts: { created: 1, not_from_an_ad: 1 } });
    const query = 'select from conversion where account_id = $1';
    expect((await operator.database.pool.query(query, [account])).rowCount).toBe(0);
  });

  it('returns at once with --no-wait and tells what comes next', async () => {
    const account = await givenCustomer();
    const path = await givenFile('orders.csv', sales);
    const created = await operator.json(`import create --account ${account} --of conversion --file ${path} --no-wait`);
    const next = expect.stringMatching(/^An api registers the rows in the background. Run "import show \d+"\.$/);
    expect(created).toMatchObject({ state: 'pending', rows: 2, done: 0, next });
    await workOff();
  });

  it('shows how a workbook would be read, and imports it as somebody chooses', async () => {
    const account = await givenCustomer();
    const sheets = [
      { name: 'Resumen', rows: [['Ventas']] },
      {
        name: 'Ventas',
        rows: [
          ['Nro', 'Quien', 'Neto'],
          ['A1', 'C1', 1234.5],
          ['A2', 'nobody', 2],
        ],
      },
    ];
    const path = await givenFile('ventas.xlsx', givenWorkbook({ sheets }));
    const about = ['--account', String(account), '--of', 'conversion', '--file', path];
    expect(await operator.json(['import', 'preview', ...about])).toMatchObject({
      sheet: 'Resumen',
      sheets: ['Resumen', 'Ventas'],
      encoding: null,
    });
    const choices = JSON.stringify({
      sheet: 'Ventas',
      columns: { Nro: 'conversionExternalReference', Quien: 'clientExternalReference', Neto: 'amount' },
      currency: 'USD',
    });
    expect(await operator.json(['import', 'preview', ...about, '--choices', choices])).toMatchObject({
      sheet: 'Ventas',
      missing: [],
      rows: 2,
      columns: [{ column: 'Nro', field: 'conversionExternalReference' }, {}, {}],
      samples: [{ line: 2, amount: 1234.5, currency: 'USD', problem: null }, { line: 3 }],
    });
    const [created] = await Promise.all([
      operator.json(['import', 'create', ...about, '--choices', choices]),
      workOff(),
    ]);
    expect(created).toMatchObject({ state: 'done', counts: { created: 1, not_from_an_ad: 1 } });
  });

  it.each(['{', '{"colour":1}', '{"sheet":7}'])('refuses choices that nobody can make: %s', async (choices) => {
    const account = await givenCustomer();
    const path = await givenFile('orders.csv', sales);
    const words = ['--account', String(account), '--of', 'conversion', '--file', path, '--choices', choices];
    for (const command of ['preview', 'create']) {
      expect(await operator.type(['import', command, ...words])).toMatchObject({
        status: 1,
        err: expect.stringContaining('choices'),
      });
    }
  });

  it.each([
    ['amounts\n1\n', 'line 1: column 1 ("amounts") is unknown; did you mean "amount"?'],
    [`${sales}o3,C1,1,USD,x\n`, 'line 4: 5 cells, but the header has 4 columns. Nothing was registered.'],
  ])('refuses the file of case %# with the line', async (content, message) => {
    const account = await givenCustomer();
    const path = await givenFile('orders.csv', content);
    const { status, err } = await operator.type(`import create --account ${account} --of conversion --file ${path}`);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('refuses a file that does not exist and an import that does not exist', async () => {
    const account = await givenCustomer();
    const missing = await operator.type(`import create --account ${account} --of client --file /nothing.csv`);
    expect(missing).toMatchObject({ status: 1, err: '/nothing.csv: no such file; expected a CSV file or .xlsx\n' });
    expect(await operator.type('import show 999')).toMatchObject({ status: 1, err: 'there is no import 999\n' });
  });
});

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const range = ['--from', daysAgo(60).slice(0, 10), '--to', daysAgo(0).slice(0, 10)];

describe('reconcile', async () => {
  const operator = await shared(givenOperator());

  const givenList = async (lines: readonly string[]) => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    await givenConnection(em, { account });
    await givenClient(em, { account, externalReference: 'C1' });
    const file = join(await mkdtemp(join(inject('temporaryFolder'), 'list-')), 'list.csv');
    const head = 'conversionExternalReference,amount,currency,clientExternalReference,occurredAt';
    await writeFile(file, `${[head, ...lines].join('\n')}\n`);
    const conversions = () => operator.database.em().count(Conversion, { account });
    return { account, file, words: ['reconcile', '--account', String(account.id)], conversions };
  };
  const two = [`=order-1,10,USD,C1,${daysAgo(2)}`, `order-2,20,USD,C1,${daysAgo(30)}`, 'order-3,30,USD,C2,'];

  it('compares a list, shows what a replay would do, and registers what is missing', async () => {
    const { file, words, conversions } = await givenList(two);
    const none = { matched: 0, amountDiffers: 0, currencyDiffers: 0, duplicateInList: 0, extra: 0, undelivered: 0 };
    const counts = { ...none, missing: 2, missingWithoutClient: 1, refused: 0 };
    const first = await operator.json([...words, '--file', file, ...range, '--replay', '--dry-run']);
    const replay = { created: 2, repeated: 0, differs: 0, refused: 0, tooOld: { meta: 1 }, withoutOccurredAt: 0 };
    const times = { from: expect.any(String), until: expect.any(String) };
    expect(first).toEqual({
      id: expect.any(Number),
      ...times,
      rows: 3,
      counts,
      replay: [{ dryRun: true, ...replay }],
    });
    expect(await conversions()).toBe(0);

    const { id } = z.object({ id: z.number() }).parse(first);
    const ofFirst = [...words, '--id', String(id)];
    expect(await operator.json([...ofFirst, '--replay'])).toMatchObject({ replay: [{ dryRun: false, ...replay }] });
    expect(await conversions()).toBe(2);

    const again = await operator.type([...words, '--file', file, ...range, '--wide']);
    expect(again.err).toBe('');
    expect(again.out).toMatch(/matched +│ 2 +│ registered alike/);
    expect(again.out).toMatch(/missingWithoutClient +│ 1 +│/);
    expect(again.out).not.toContain('amountDiffers');
  });

  it('prints the rows with an outcome, safe for spreadsheets', async () => {
    const { file, words } = await givenList(two);
    const { out } = await operator.type([...words, '--file', file, ...range, '--outcome', 'missing', '--csv']);
    const [, ...rows] = out.trimEnd().split('\n');
    expect(rows).toEqual([
      expect.stringMatching(/^1,"missing","'=order-1","10\.00","USD",/),
      expect.stringMatching(/^2,"missing","order-2","20\.00","USD",/),
    ]);
  });

  it.each([
    [
      ['--file', 'list.csv'],
      '--file: give a file with --from and a later --to, or the --id of an earlier reconciliation',
    ],
    [['--file', '/nowhere.csv', ...range], '--file: cannot read /nowhere.csv (ENOENT)'],
    [['--id', '999999'], '--id: this account has no reconciliation 999999'],
    [['--id', '1', '--outcome', 'lost'], '--outcome: expected refused, '],
  ])('refuses %j with exit status 1 and says what to fix', async (options, message) => {
    const { words } = await givenList([]);
    const { status, out, err } = await operator.type([...words, ...options]);
    expect([status, out, err]).toEqual([1, '', expect.stringContaining(message)]);
  });

  it('names the line of a file that cannot be read', async () => {
    const { file, words } = await givenList(['order-1,10,USD,C1,,x']);
    const { err } = await operator.type([...words, '--file', file, ...range, '--wide']);
    expect(err).toContain(`--file: ${file}, line 2: 6 cells, but the header has 5 columns`);
  });
});
