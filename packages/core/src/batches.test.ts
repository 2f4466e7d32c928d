import { transaction, rolledBack } from '@leadback/db';
import { registerConversions } from '@leadback/core/batches';
import {
  givenContacts,
  givenAccount,
  givenClient,
  givenConnection,
  givenDatabase,
  unique,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const order = (change: object = {}) => ({
  amount: 10,
  currency: 'USD',
  clientExternalReference: 'C1',
  conversionExternalReference: unique('order'),
  ...change,
});

const many = (count: number, code: string) => Array.from({ length: count }, () => code);

describe('registering many conversions', async () => {
  const database = await shared(givenDatabase());

  const givenPartner = async () => {
    const em = database.em();
    const account = await givenAccount(em);
    const client = await givenClient(em, { account, externalReference: 'C1', email: 'ana@x.example' });
    await givenConnection(em, { account });
    return { account, client, mode: { accountId: account.id, isTest: false } };
  };
  it('gives an outcome for each item and the parcels of the created ones', async () => {
    const { mode, client } = await givenPartner();
    const [one, two] = [order(), order()];
    const leadId = client.lead.id;
    await registerConversions(database.pool, mode, [one], { contacts: givenContacts() });
    const items = [one, two, { ...one, amount: 11 }, { ...two, currency: 'ARS' }, order({ amount: 'x' }), 7];
    const { outcomes, parcels } = await transaction(database.pool, (on) =>
      registerConversions(on, mode, items, { contacts: givenContacts() }),
    );
    expect(outcomes).toEqual([
      { outcome: 'repeated', id: expect.any(Number), leadId },
      { outcome: 'created', id: expect.any(Number), leadId, currency: 'USD' },
      { outcome: 'differs', id: expect.any(Number), leadId, message: expect.stringMatching(/^amount: /) },
      { outcome: 'differs', id: expect.any(Number), leadId, message: expect.stringMatching(/^currency: /) },
      { outcome: 'refused', code: 'invalid-fields', message: 'amount: expected a number' },
      { outcome: 'refused', code: 'invalid-fields', message: 'item: expected a JSON object' },
    ]);
    expect(parcels).toMatchObject([{ size: 1, platform: 'meta' }]);
  });

  it('refuses the rest after twenty refused items with the same name', async () => {
    const { mode } = await givenPartner();
    const wrong = order({ clientExternalReference: 'nobody' });
    const right = { ...wrong, clientExternalReference: 'C1' };
    const codes = async (items: readonly unknown[]) => {
      const { outcomes } = await registerConversions(database.pool, mode, items, { contacts: givenContacts() });
      return outcomes.map((one) => ('code' in one ? one.code : one.outcome));
    };
    const first = Array.from({ length: 21 }, () => wrong);
    expect(await codes([...first, right, right, order()])).toEqual([
      ...many(21, 'client-unknown'),
      ...many(2, 'invalid-fields'),
      'created',
    ]);
    expect(await codes([...first.slice(1), right, right])).toEqual([
      ...many(20, 'client-unknown'),
      'created',
      'invalid-fields',
    ]);
  });

  it('changes nothing in a transaction that is rolled back', async () => {
    const { mode } = await givenPartner();
    const items = [order(), order()];
    const { outcomes } = await rolledBack(database.pool, (on) =>
      registerConversions(on, mode, items, { contacts: givenContacts() }),
    );
    const again = await registerConversions(database.pool, mode, items, { contacts: givenContacts() });
    expect([...outcomes, ...again.outcomes].map(({ outcome }) => outcome)).toEqual(Array(4).fill('created'));
  });
});
