import { Client } from '@leadback/db';
import { givenAccount, givenApiKey, givenErased, givenLead, unique } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type TestApi } from './given-api.ts';

const refused =
  'email, phoneNumber: a person with one of them was erased, and this account does not register erased persons again; leave out both';

describe('persons who were erased', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const givenPartner = async ({ isTest = false, erased = 'suppress' } = {}) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await api.database.pool.query('update account set erased_persons = $2 where id = $1', [account.id, erased]);
    const { reference: leadReference } = await givenLead(em, { account });
    await givenErased(api.database, account, { emails: ['ana@x.example'], phoneNumbers: ['+54 9 11 2345-6789'] });
    const key = await givenApiKey(em, { account, isTest });
    const post = (path: string, body: unknown) => api.send('POST', `/api/v1/client${path}`, { key, body });
    return { account, post, register: (client: object) => post('', { leadReference, ...client }), leadReference };
  };

  it.each([
    { email: ' Ana@X.EXAMPLE' },
    { phoneNumber: '011 2345 6789' },
    { email: 'eva@x.example', phoneNumber: '+541123456789' },
  ])('are not registered again as %j where their account says so, and nothing is stored', async (client) => {
    const { account, register } = await givenPartner();
    const { status, headers, body } = await register({ ...client, externalReference: unique('client') });
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'suppressed', { message: refused }]);
    expect(await api.database.em().count(Client, { account })).toBe(0);
  });

  it('do not hinder others, clients without contact data, and clients who are registered already', async () => {
    const { register } = await givenPartner();
    const externalReference = unique('client');
    expect((await register({ externalReference, email: 'eva@x.example' })).status).toBe(201);
    expect((await register({ externalReference, email: 'ana@x.example' })).status).toBe(200);
    expect((await register({})).status).toBe(201);
  });

  it('are refused in a batch one by one', async () => {
    const { post, leadReference } = await givenPartner();
    const items = ['ana@x.example', 'eva@x.example'].map((email) => ({ leadReference, email }));
    const { body } = await post('/batch', { items });
    expect(body).toMatchObject({
      results: [
        { index: 0, outcome: 'refused', message: refused },
        { index: 1, outcome: 'created' },
      ],
    });
  });

  it.each([{ erased: 'allow' }, { isTest: true }])('are registered as before with %j', async (given) => {
    const { register } = await givenPartner(given);
    expect((await register({ email: 'ana@x.example' })).status).toBe(201);
  });
});
