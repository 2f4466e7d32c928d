import { openPool } from '@leadback/db';
import { unique } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type TestApi } from './given-api.ts';
import { givenBatchPartner, order, outcomesOf, refused } from './given-batches.ts';

const internal = refused('internal', 'internal error; give support the x-request-id');

describe('a batch with an item that PostgreSQL refuses', () => {
  let api: TestApi;
  const poison = unique('poison');
  beforeAll(async () => {
    api = await givenApi();
    await using owner = await openPool({ url: api.database.ownerUrl, applicationName: 'test' });
    for (const table of ['client', 'conversion']) {
      await owner.pool.query(`alter table ${table} add check (external_reference <> '${poison}') not valid`);
    }
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it.each(['', '?dryRun=true'])('refuses this conversion alone (%s)', async (query) => {
    const partner = await givenBatchPartner(api);
    const items = [order(), order({ conversionExternalReference: poison }), order()];
    const reply = await partner.conversions([...items, items[0]], { query });
    expect(outcomesOf(reply)).toEqual(['created', 'refused', 'created', 'repeated']);
    expect(reply.results[1]).toEqual({ index: 1, ...internal });
    expect(outcomesOf(await partner.conversions([items[1]], { query }))).toEqual(['refused']);
  });

  it.each(['', '?dryRun=true'])('refuses this client alone (%s)', async (query) => {
    const partner = await givenBatchPartner(api);
    const { leadReference } = partner;
    const items = [poison, unique('client')].map((externalReference) => ({ leadReference, externalReference }));
    const reply = await partner.clients(items, { query, headers: { 'idempotency-key': unique('key') } });
    expect(outcomesOf(reply)).toEqual(['refused', 'created']);
    expect(reply.results[0]).toEqual({ index: 0, ...internal });
  });
});
