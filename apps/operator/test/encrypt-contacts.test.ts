import { accountMasterKeys } from '@leadback/secrets';
import { clientReader, finder } from '@leadback/reports';
import { accountScope } from '@leadback/people';
import { Account } from '@leadback/db';
import { reconciliationCreator, rowsReader } from '@leadback/intake';
import { everyRow, findLead, givenAccount, givenClient, givenContacts, secretsKeys } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptContacts } from '../src/encrypt/encrypt-contacts.ts';
import { givenOperator, type TestOperator } from './given-operator.ts';

const masterKeys = accountMasterKeys(secretsKeys);
const ana = { name: 'Ana Canary', email: 'Ana@canary.example', phoneNumber: '+54 11 5555 0001' };

const tellNothing = () => {};

async function* list() {
  yield await Promise.resolve([
    { externalReference: 'order 1', amount: '1', currency: 'USD', emailKey: 'ana@canary.example' },
  ]);
}

describe('an account from before contact data was encrypted', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await givenOperator();
  });
  afterAll(() => operator[Symbol.asyncDispose]());

  const rowsWith = async (text: string) =>
    [...(await everyRow(operator.database)).values()].flat().filter((row) => row.includes(text));

  const given = async () => {
    const { database } = operator;
    const em = database.em();
    const account = await givenAccount(em);
    await database.pool.query('update account set data_key = null, encrypts_contacts = false where id = $1', [
      account.id,
    ]);
    const visitor = { email: 'Visitor@canary.example', ipAddress: '203.0.113.99' };
    const client = await givenClient(em, { account, lead: visitor, ...ana });
    const { reference } = await client.lead.loadOrFail();
    const mode = { accountId: account.id, isTest: false };
    const range = { from: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z' };
    const listId = await reconciliationCreator(database.pool, givenContacts())(mode, range, list());
    return { account, reference, client, mode, listId };
  };

  it('has all contact data encrypted by `secrets encrypt`, which finds nothing the next time', async () => {
    const { pool } = operator.database;
    const { account, reference, client, mode, listId } = await given();
    expect((await rowsWith('canary')).length).toBeGreaterThan(2);
    const encrypt = () => encryptContacts(pool, { masterKeys, accountId: account.id, tell: tellNothing, waitMs: 0 });
    expect(await encrypt()).toEqual({ accounts: 1, leads: 1, clients: 1, listedRows: 1 });
    expect(await rowsWith('canary')).toEqual([]);
    expect(await rowsWith('203.0.113.99')).toEqual([]);
    expect(await operator.json(`secrets encrypt --account ${account.id}`)).toEqual({
      accounts: 1,
      leads: 0,
      clients: 0,
      listedRows: 0,
    });

    expect(await clientReader(pool, givenContacts())(mode, client.id)).toMatchObject(ana);
    expect(await findLead(operator.database.em(), reference)).toMatchObject({
      email: 'Visitor@canary.example',
      ipAddress: '203.0.113.99',
    });
    const rows = await rowsReader(pool, givenContacts())(mode, { id: listId, after: 0, limit: 10 });
    expect(rows).toMatchObject([{ email: 'ana@canary.example' }]);
    const scope = await accountScope(pool, { id: 0, role: 'admin' }, account.id);
    if (!scope) throw new Error('the account is missing');
    const { matches } = await finder(pool, givenContacts())(scope, ana.email);
    expect(matches).toMatchObject([{ clientId: client.id, name: ana.name }]);
    const erased = await operator.json(`client erase --account ${account.id} --email ${ana.email}`);
    expect(erased).toMatchObject({ clients: 1, leads: 1 });
    expect(await clientReader(pool, givenContacts())(mode, client.id)).toMatchObject({ name: null, email: null });
  });

  it('is forgotten by its name once it is suspended, and its data with it', async () => {
    const { pool } = operator.database;
    const { account, client, mode } = await given();
    const forget = (name: string) => operator.type(`account forget ${account.id} --yes ${name}`);
    expect((await forget(account.name)).err).toContain(`run \`account suspend ${account.id}\` first`);
    await operator.json(`account suspend ${account.id}`);
    expect((await forget('another')).err).toContain('has another name; nothing was changed');
    await encryptContacts(pool, { masterKeys, accountId: account.id, tell: tellNothing, waitMs: 0 });
    expect(await clientReader(pool, givenContacts())(mode, client.id)).toMatchObject(ana);

    expect((await forget(account.name)).status).toBe(0);
    const nothing = { name: null, email: null, phoneNumber: null };
    expect(await clientReader(pool, givenContacts())(mode, client.id)).toMatchObject(nothing);
    expect(await rowsWith('canary')).toEqual([]);
    const { dataKey } = await operator.database.em().findOneOrFail(Account, account.id);
    expect(dataKey).toBeNull();
    const entries = await operator.json(`audit list --account ${account.id}`);
    expect(entries).toContainEqual(expect.objectContaining({ action: 'account.forget' }));
  });
});
