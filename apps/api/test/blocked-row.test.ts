import type { Account } from '@leadback/db';
import { eventually, givenClient, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenBatchPartner, order } from './given-batches.ts';

const requests = 50;

describe('a row that another session keeps locked', async () => {
  const api = await shared(givenApi({ hasLimits: true }));

  /** Registers conversions in a transaction that stays open. */
  const holding = async (account: Account, references: readonly string[]) => {
    const client = await givenClient(api.database.em(), { account });
    const holder = await api.database.pool.connect();
    await holder.query('begin');
    await holder.query(
      `insert into conversion (account_id, client_id, amount, currency, external_reference, event_id, landing_page_id, campaign)
       select $1, $2, 1, 'USD', reference, reference, $4, '' from unnest($3::text[]) reference`,
      [account.id, client.id, references, client.landingPageId],
    );
    return async () => {
      await holder.query('rollback');
      holder.release();
    };
  };

  it.each([
    { of: 'fifty requests', what: 'the one that needs it', blocked: 1, hasKey: false },
    { of: 'fifty requests with an Idempotency-Key', what: 'the one that needs it', blocked: 1, hasKey: true },
    { of: 'fifty requests', what: 'the three that need it', blocked: 3, hasKey: false },
  ])('fails, of $of at the same time, only $what', async ({ blocked, hasKey }) => {
    const { account, key } = await givenBatchPartner(api);
    const register = (reference = '') =>
      api.send('POST', '/api/v1/client/conversion', {
        key,
        headers: hasKey ? { 'idempotency-key': unique('key') } : {},
        body: order({ conversionExternalReference: reference }),
      });
    const tryAll = async () => {
      const references = Array.from({ length: requests }, () => unique('order'));
      const release = await holding(account, references.slice(0, blocked));
      try {
        return { references, replies: await Promise.all(references.map(register)) };
      } finally {
        await release();
      }
    };
    // a few times: a busy machine may not run all the others in the time that the api has
    await eventually(async () => {
      const { references, replies } = await tryAll();
      for (const { status, headers } of replies.slice(0, blocked))
        expect([status, headers.get('leadback-error'), headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
      for (const { status, body } of replies.slice(blocked))
        expect([status, body]).toMatchObject([201, { id: expect.any(Number) }]);
      expect((await register(references[0])).status).toBe(201);
    });
  });

  it('refuses, of six hundred requests at the same time, the one that needs it, and loses or doubles none', async () => {
    const { account, key } = await givenBatchPartner(api);
    const references = Array.from({ length: 600 }, () => unique('order'));
    const register = (reference = '') =>
      api.send('POST', '/api/v1/client/conversion', { key, body: order({ conversionExternalReference: reference }) });
    const release = await holding(account, references.slice(0, 1));
    const replies = await Promise.all(references.map(register));
    const outcomes = replies.map(({ status, headers }) => [status, headers.get('leadback-error')].join(' ').trim());
    expect(outcomes[0]).toBe('503 unavailable');
    // others may be refused, too: those that their statement did not reach in time
    expect(outcomes.filter((outcome) => !['201', '503 unavailable'].includes(outcome))).toEqual([]);
    const registered = async () => {
      const { rows } = await api.database.pool.query<{ external_reference: string }>(
        'select external_reference from conversion where account_id = $1 order by id',
        [account.id],
      );
      return rows.map(({ external_reference: reference }) => reference).toSorted();
    };
    expect(await registered()).toEqual(references.filter((_, index) => outcomes[index] === '201').toSorted());
    await release();
    for (const reference of references.filter((_, index) => outcomes[index] !== '201'))
      expect((await register(reference)).status).toBe(201);
    expect(await registered()).toEqual(references.toSorted());
  });
});
