import { everyRow, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenBatchPartner, order, outcomesOf } from './given-batches.ts';

describe('a dry run', async () => {
  const api = await shared(givenApi());

  /** Every row of every table except those that the API changes by itself. */
  const allRows = async () => {
    const all = new Map(await everyRow(api.database));
    all.delete('api_key');
    expect(all.size).toBeGreaterThan(10);
    return all;
  };

  it('finds the outcomes of conversions and changes no table', async () => {
    const partner = await givenBatchPartner(api);
    const known = order();
    await partner.conversions([known]);
    const before = await allRows();
    const announced = api.announced.length;
    const fresh = Array.from({ length: 200 }, () => order());
    const items = [known, { ...known, amount: 11 }, ...fresh, fresh[0], order({ amount: -1 })];
    const dry = await partner.conversions(items, { query: '?dryRun=true' });
    expect(await allRows()).toEqual(before);
    expect(api.announced.length).toBe(announced);
    expect(dry.dryRun).toBe(true);
    expect(dry.counts).toEqual({ created: 200, repeated: 2, differs: 1, refused: 1 });
    expect(dry.results[2]).toEqual({ index: 2, outcome: 'created', leadId: partner.client.lead.id });
    expect(dry.results[202]).toEqual({ index: 202, outcome: 'repeated', leadId: partner.client.lead.id });

    const run = await partner.conversions(items, { query: '?dryRun=false' });
    expect(outcomesOf(run)).toEqual(outcomesOf(dry));
    expect(run.results[0]?.id).toBe(dry.results[0]?.id);
  });

  it('finds the outcomes of clients and changes no table, with or without an Idempotency-Key', async () => {
    const partner = await givenBatchPartner(api);
    const { leadReference } = partner;
    const items = [{ leadReference, externalReference: 'C1' }, { leadReference }, { leadReference: 'damaged' }];
    const headers = { 'idempotency-key': unique('key') };
    const before = await allRows();
    const dry = await partner.clients(items, { query: '?dryRun=true', headers });
    expect(await allRows()).toEqual(before);
    expect(dry.results.map(({ outcome, id }) => [outcome, id])).toEqual([
      ['existing', partner.client.id],
      ['created', undefined],
      ['refused', undefined],
    ]);
    expect(outcomesOf(await partner.clients(items, { headers }))).toEqual(outcomesOf(dry));
  });
});
