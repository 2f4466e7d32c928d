import { unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { account, listAccountsReply } from '../src/contract/accounts.ts';
import { auditReply } from '../src/contract/audit.ts';
import { sessionReply } from '../src/contract/session.ts';
import { givenConsole } from './given-console.ts';

describe('accounts in the console', async () => {
  const console = await shared(givenConsole());
  const operator = await console.person({ role: 'operator' });

  const create = async (name = unique('Zapatos')) =>
    account.parse((await operator.post('/api/accounts', { name })).body);
  const post = async (id: number, what: string, body: object = {}) =>
    account.parse((await operator.post(`/api/accounts/${id}/${what}`, body)).body);
  const entriesOf = async (id: number) =>
    auditReply
      .parse((await operator.get(`/api/accounts/${id}/audit`)).body)
      .items.map(({ action, actor, details }) => ({ action, actor, details }));

  it('are created with the defaults of the command line, and seen at once', async () => {
    const name = unique('Zapatos');
    const created = await create(` ${name} `);
    expect(created).toMatchObject({ name, status: 'active', country: 'AR', rateLimit: 200, gpc: 'respect' });
    const session = sessionReply.parse((await operator.get('/api/session')).body);
    expect(session.accounts).toContainEqual({ id: created.id, name, status: 'active', timeZone: 'UTC' });
    const choices = { gpc: 'respect', erased: 'allow', attribution: 'last', eventIdPrefix: '' };
    const details = { name, country: 'AR', rateLimit: 200, ...choices, currencies: ['USD', 'ARS'], timeZone: 'UTC' };
    expect(await entriesOf(created.id)).toEqual([{ action: 'account.create', actor: operator.email, details }]);
  });

  it('are found by a part of the name', async () => {
    const { id, name } = await create();
    const found = await operator.get(`/api/accounts?find=${name.slice(2).toUpperCase()}`);
    expect(listAccountsReply.parse(found.body)).toMatchObject({ items: [{ id, name }], isPartial: false });
  });

  it('change field by field, also when they are suspended', async () => {
    const { id, name } = await create();
    await post(id, 'suspend');
    expect(await post(id, 'settings', { country: 'uy', rateLimit: 7 })).toMatchObject({
      name,
      status: 'suspended',
      country: 'UY',
      rateLimit: 7,
    });
    await post(id, 'settings', { country: 'UY' });
    expect((await entriesOf(id)).slice(0, -1)).toEqual([
      {
        action: 'account.change',
        actor: operator.email,
        details: { country: { before: 'AR', after: 'UY' }, rateLimit: { before: 200, after: 7 } },
      },
      {
        action: 'account.suspend',
        actor: operator.email,
        details: { name, status: { before: 'active', after: 'suspended' } },
      },
    ]);
  });

  it('take the currencies that are typed, the main one first, and refuse what is none', async () => {
    const { id } = await create();
    expect(await post(id, 'settings', { currencies: 'BRL, USD' })).toMatchObject({ currencies: ['BRL', 'USD'] });
    expect(await post(id, 'settings', { rateLimit: 7 })).toMatchObject({ currencies: ['BRL', 'USD'] });
    for (const currencies of ['usd', 'BRL, XXX', '', []]) {
      const refused = await operator.post(`/api/accounts/${id}/settings`, { currencies });
      expect([refused.status, refused.headers.get('leadback-error')]).toEqual([400, 'invalid-fields']);
    }
  });

  it('get a prefix for their event ids, lose it again, and take none that marks tests', async () => {
    const { id } = await create();
    expect(await post(id, 'settings', { eventIdPrefix: ' shop-a:' })).toMatchObject({ eventIdPrefix: 'shop-a:' });
    expect(await post(id, 'settings', { rateLimit: 7 })).toMatchObject({ eventIdPrefix: 'shop-a:' });
    expect(await post(id, 'settings', { eventIdPrefix: '' })).toMatchObject({ eventIdPrefix: '' });
    const refused = await operator.post(`/api/accounts/${id}/settings`, { eventIdPrefix: 'test:' });
    expect([refused.status, refused.headers.get('leadback-error')]).toEqual([400, 'invalid-fields']);
  });

  it('keep both changes of two people who change different fields at the same time', async () => {
    const { id } = await create();
    await Promise.all([post(id, 'settings', { country: 'UY' }), post(id, 'settings', { rateLimit: 7 })]);
    const found = listAccountsReply.parse((await operator.get('/api/accounts')).body).items;
    expect(found.find((one) => one.id === id)).toMatchObject({ country: 'UY', rateLimit: 7 });
  });

  it('hide their pages if they are suspended for abuse', async () => {
    const { id } = await create();
    expect(await post(id, 'suspend', { pages: true })).toMatchObject({ status: 'suspended', hidesPages: true });
    expect(await post(id, 'activate')).toMatchObject({ status: 'active', hidesPages: false });
  });

  it('are suspended and activated once, however often it is asked', async () => {
    const { id } = await create();
    await Promise.all([post(id, 'suspend'), post(id, 'suspend')]);
    expect(await post(id, 'activate')).toMatchObject({ status: 'active' });
    await post(id, 'activate');
    const actions = (await entriesOf(id)).map(({ action }) => action);
    expect(actions).toEqual(['account.activate', 'account.suspend', 'account.create']);
  });

  it.each([
    { name: '' },
    { name: 'x', country: 'Argentina' },
    { name: 'x', rateLimit: 0 },
    { name: 'x', gpc: 'ignore' },
    {},
  ])('are not created with %j', async (input) => {
    const reply = await operator.post('/api/accounts', input);
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([400, 'invalid-fields']);
  });
});
