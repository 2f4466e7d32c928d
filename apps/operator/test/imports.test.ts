import { readFile } from 'node:fs/promises';
import { itemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, givenAccount, givenClient, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenFile } from './given-file.ts';
import { givenOperator } from './given-operator.ts';

const file = 'conversionExternalReference,clientExternalReference,amount,currency\no1,C1,1,USD\no2,nobody,1,USD\n';

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
    const path = await givenFile('orders.csv', file);
    const [created] = await Promise.all([
      operator.json(`import create --account ${account} --of conversion --file ${path}`),
      workOff(),
    ]);
    const { id } = Object(created);
    const next = `Run "import show ${id} --result result.csv", correct the rows that were refused or differ, and import that file.`;
    expect(created).toMatchObject({
      of: 'conversion',
      isTest: false,
      dryRun: false,
      state: 'done',
      rows: 2,
      done: 2,
      counts: { created: 1, refused: 1 },
      next,
    });
    const result = `${path}.result`;
    expect(await operator.json(`import show ${id} --result ${result}`)).toEqual(created);
    expect(await readFile(result, 'utf8')).toMatch(
      /\n"o1","C1","1","USD","created",\d+,\n"o2","nobody","1","USD","refused",,"no client/,
    );
    expect((await operator.type(`import show ${id} --result ${result}`)).err).toContain(
      'exists already: name a new file',
    );
    const elsewhere = (await operator.type(`import show ${id} --result ${path}/x.csv`)).err;
    expect(elsewhere).toContain('ENOTDIR');
    expect(elsewhere).not.toContain('name a new file');
    const [listed] = [await operator.json(`import list --account ${account}`)].flat();
    expect({ ...Object(listed), next }).toEqual(created);
  });

  it('imports as a test and as a dry run', async () => {
    const account = await givenCustomer({ isTest: true });
    const path = await givenFile('orders.csv', file);
    const [created] = await Promise.all([
      operator.json(`import create --account ${account} --of conversion --file ${path} --test --dry-run`),
      workOff(),
    ]);
    expect(created).toMatchObject({ isTest: true, dryRun: true, counts: { created: 1, refused: 1 } });
    const query = 'select from conversion where account_id = $1';
    expect((await operator.database.pool.query(query, [account])).rowCount).toBe(0);
  });

  it('returns at once with --no-wait and tells what comes next', async () => {
    const account = await givenCustomer();
    const path = await givenFile('orders.csv', file);
    const created = await operator.json(`import create --account ${account} --of conversion --file ${path} --no-wait`);
    const next = expect.stringMatching(/^An api registers the rows in the background. Run "import show \d+"\.$/);
    expect(created).toMatchObject({ state: 'pending', rows: 2, done: 0, next });
    await workOff();
  });

  it.each([
    ['amounts\n1\n', 'line 1: column 1 ("amounts") is unknown; did you mean "amount"?'],
    [`${file}o3,C1,1,USD,x\n`, 'line 4: 5 cells, but the header has 4 columns. Nothing was registered.'],
  ])('refuses the file of case %# with the line', async (content, message) => {
    const account = await givenCustomer();
    const path = await givenFile('orders.csv', content);
    const { status, err } = await operator.type(`import create --account ${account} --of conversion --file ${path}`);
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('refuses a file that does not exist and an import that does not exist', async () => {
    const account = await givenCustomer();
    const missing = await operator.type(`import create --account ${account} --of client --file /nothing.csv`);
    expect(missing).toMatchObject({ status: 1, err: '/nothing.csv: no such file; expected a CSV file\n' });
    expect(await operator.type('import show 999')).toMatchObject({ status: 1, err: 'there is no import 999\n' });
  });
});
