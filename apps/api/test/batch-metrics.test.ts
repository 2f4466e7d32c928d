import { expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenBatchPartner, order } from './given-batches.ts';

it('counts the clients and conversions that live batches created, and no others', async () => {
  await using api = await givenApi();
  const live = await givenBatchPartner(api);
  const orders = [order(), order(), order({ currency: 'ARS' }), order({ amount: -1 })];
  const { leadReference } = live;
  const clients = [{ leadReference }, { leadReference, externalReference: 'C1' }, { leadReference: 'damaged' }];
  await live.conversions(orders, { query: '?dryRun=true' });
  await live.clients(clients, { query: '?dryRun=true' });
  await live.conversions(orders);
  await live.conversions(orders);
  const headers = { 'idempotency-key': 'key' };
  await live.clients(clients, { headers });
  await live.clients(clients, { headers });
  const test = await givenBatchPartner(api, { isTest: true });
  await test.conversions(orders);
  await test.clients([{ leadReference: test.leadReference }]);

  const text = await api.metrics();
  expect(text).toMatch(/leadback_conversions_total\{[^}]*currency="USD"[^}]*\} 2\n/);
  expect(text).toMatch(/leadback_conversions_total\{[^}]*currency="ARS"[^}]*\} 1\n/);
  expect(text).toMatch(/leadback_clients_total\{[^}]*outcome="created"[^}]*\} 1\n/);
  expect(text).toMatch(/leadback_clients_total\{[^}]*outcome="known"[^}]*\} 1\n/);
});
