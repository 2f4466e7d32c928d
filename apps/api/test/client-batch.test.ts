import { Client } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenLead, secretsKeys, unique, shared } from '@leadback/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenBatchPartner, outcomesOf, refused } from './given-batches.ts';

const genuine = () => issueLeadReference(leadReferenceKeys(secretsKeys));

describe('POST /client/batch', async () => {
  const api = await shared(givenApi());
  afterEach(() => api.database.pool.query('delete from landing_instance'));

  const countOf = (account: { id: number }) => api.database.em().count(Client, { account: account.id });

  it('answers 200 with one outcome per item in order, and the items that are fine are registered', async () => {
    const partner = await givenBatchPartner(api);
    const { client, leadReference } = partner;
    const { reference: foreign } = await givenLead(api.database.em());
    const unknown = expect.stringMatching(/^leadReference: no lead .* less than 10 seconds ago$/);
    const reply = await partner.clients([
      { leadReference, externalReference: 'C1' },
      { leadReference, externalReference: 'C2', name: 'Ana', email: 'ANA@x.example' },
      { leadReference: 'damaged', externalReference: 'C2' },
      { leadReference },
      { leadReference: 'damaged' },
      { leadReference: genuine() },
      { leadReference: foreign },
      { leadReference, name: 7, email: 'x' },
      [],
    ]);
    const created = { outcome: 'created', id: expect.any(Number) };
    expect(reply.results).toEqual(
      [
        { outcome: 'existing', id: client.id },
        created,
        { outcome: 'existing', id: reply.results[1]?.id },
        created,
        refused('lead-unknown', expect.stringMatching(/^leadReference: not a reference that we issued/)),
        refused('lead-unknown', unknown),
        refused('lead-unknown', unknown),
        refused(
          'invalid-fields',
          'name: expected a string; email: expected an email address: one @, text on both sides, no spaces',
        ),
        refused('invalid-fields', 'item: expected a JSON object'),
      ].map((result, index) => ({ index, ...result })),
    );
    expect(reply.counts).toEqual({ created: 2, existing: 2, refused: 5 });
    expect(await countOf(partner.account)).toBe(3);
  });

  it('refuses a lead that may still be buffered, without waiting for it', async () => {
    const partner = await givenBatchPartner(api);
    await api.database.pool.query(`insert into landing_instance (id, seen_at, is_behind) values ('a', now(), true)`);
    const { results } = await partner.clients([{ leadReference: genuine() }, { leadReference: partner.leadReference }]);
    expect(results).toMatchObject([
      { code: 'lead-pending', message: 'leadReference: lead not available yet; retry after some seconds' },
      { outcome: 'created' },
    ]);
  });

  it('refuses a genuine reference without a lead at once, while a call for one client waits for the lead', async () => {
    const partner = await givenBatchPartner(api);
    const items = [{ leadReference: genuine() }];
    let ms = Number.POSITIVE_INFINITY;
    // the call for one client takes three seconds each time, a batch on a busy machine only now and then
    for (let tries = 0; tries < 20 && ms >= 2_500; tries += 1) {
      const start = performance.now();
      expect(outcomesOf(await partner.clients(items))).toEqual(['refused']);
      ms = performance.now() - start;
    }
    expect(ms).toBeLessThan(2_500);
  });

  it('never registers a reference twice in concurrent batches', async () => {
    const partner = await givenBatchPartner(api);
    const { leadReference } = partner;
    const items = Array.from({ length: 250 }, () => ({ leadReference, externalReference: unique('client') }));
    const batches = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => partner.clients(turn % 2 ? items : items.toReversed())),
    );
    const outcomes = batches.flatMap(outcomesOf);
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(250);
    expect(outcomes.filter((outcome) => outcome === 'existing')).toHaveLength(1_750);
    expect(await countOf(partner.account)).toBe(251);
  });

  it('registers clients without a reference once per Idempotency-Key, and refused items when they are sent again', async () => {
    const partner = await givenBatchPartner(api);
    const { leadReference } = partner;
    const lead = genuine();
    const items = [...Array.from({ length: 150 }, () => ({ leadReference })), { leadReference: lead }];
    const headers = { 'idempotency-key': unique('key') };
    const first = await partner.clients(items, { headers });
    await givenLead(api.database.em(), { account: partner.account, reference: lead });
    const again = await partner.clients(items, { headers });
    expect(again.results.slice(0, 150)).toEqual(first.results.slice(0, 150));
    expect([first.results[150]?.outcome, again.results[150]?.outcome]).toEqual(['refused', 'created']);
    expect(await countOf(partner.account)).toBe(152);

    const changed = await partner.clients([{ leadReference, name: 'Eva' }], { headers });
    expect(changed.results).toMatchObject([{ outcome: 'refused', code: 'idempotency-key-reused' }]);
    expect(outcomesOf(await partner.clients([{ leadReference }]))).toEqual(['created']);
  });
});
