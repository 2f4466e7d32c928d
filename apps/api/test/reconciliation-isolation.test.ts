import { givenApiKey, givenClient, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenReconciling, listed } from './given-reconciling.ts';

describe('the isolation of reconciliations', async () => {
  const api = await shared(givenApi());

  it.each([
    ['live', false],
    ['test', true],
  ])('compares a list with %s conversions and clients of the account alone', async (_, isTest) => {
    const { account, sell, reconcile, get } = await givenReconciling(api, { isTest });
    await sell('order-1');
    const em = api.database.em();
    await givenClient(em, { account, externalReference: 'other-mode', email: 'other@x.example', isTest: !isTest });
    const otherKey = await givenApiKey(em, { account, isTest: !isTest });
    const inOtherMode = {
      amount: 10,
      currency: 'USD',
      email: 'other@x.example',
      conversionExternalReference: 'order-2',
    };
    await api.send('POST', '/api/v1/client/conversion', { key: otherKey, body: inOtherMode });
    const foreign = await givenReconciling(api, { isTest });
    await givenClient(em, { account: foreign.account, externalReference: 'foreign', isTest });
    await foreign.sell('order-3');
    await foreign.sell('order-4');

    const id = await reconcile([
      listed('order-1'),
      listed('order-2', { clientExternalReference: 'other-mode', email: 'other@x.example' }),
      listed('order-3', { clientExternalReference: 'foreign' }),
    ]);
    expect((await get(`/reconciliation/${id}`)).body).toMatchObject({
      counts: { matched: 1, missing: 0, missingWithoutClient: 2, extra: 0 },
    });
  });
});
