import { givenAccount, givenApiKey, givenClient, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const created = z.object({ id: z.number() });
const format = 'occurredAt: expected a time with its offset from UTC (RFC 3339), such as 2026-11-21T09:30:00-03:00';
const range =
  'occurredAt: expected a time at most 5 minutes ahead and at most 400 days ago, such as 2026-11-21T09:30:00-03:00';

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('the time at which a conversion occurred', async () => {
  const api = await shared(givenApi());

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const key = await givenApiKey(em, { account });
    const client = await givenClient(em, { account, externalReference: 'C1' });
    const post = (occurredAt: unknown, headers = {}) =>
      api.send('POST', '/api/v1/client/conversion', {
        key,
        headers,
        body: { amount: 10, currency: 'USD', clientExternalReference: 'C1', occurredAt },
      });
    const read = async (id: number) => {
      const { body } = await api.send('GET', `/api/v1/client/conversion/${id}`, { key });
      return z.object({ occurredAt: z.string(), createdAt: z.string() }).parse(body);
    };
    return { account, client, post, read };
  };

  it('stores occurredAt in UTC, and the time of registration by default', async () => {
    const { post, read } = await givenPartner();
    const twoDaysAgo = fromNow(-2 * dayMs);
    const inBuenosAires = `${new Date(Date.parse(twoDaysAgo) - 180 * minuteMs).toISOString().slice(0, -1)}-03:00`;
    const { id } = created.parse((await post(inBuenosAires)).body);
    expect((await read(id)).occurredAt).toBe(twoDaysAgo);
    for (const nothing of [undefined, null, '', ' ']) {
      const now = await read(created.parse((await post(nothing)).body).id);
      expect(now.occurredAt).toBe(now.createdAt);
    }
  });

  it.each([
    ['4 minutes ahead', 4 * minuteMs],
    ['399 days ago', -399 * dayMs],
  ])('accepts an occurredAt %s', async (_, ms) => {
    const { post } = await givenPartner();
    expect((await post(fromNow(ms))).status).toBe(201);
  });

  it.each([
    ['6 minutes ahead', 6 * minuteMs],
    ['401 days ago', -401 * dayMs],
  ])("refuses an occurredAt %s by the database's clock, and registers nothing", async (_, ms) => {
    const { account, post } = await givenPartner();
    const { status, headers, body } = await post(fromNow(ms));
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'invalid-fields', { message: range }]);
    const { rows } = await api.database.pool.query('select 1 from conversion where account_id = $1', [account.id]);
    expect(rows).toEqual([]);
  });

  it.each([
    ['2026-11-21T09:30:00', format],
    ['2026-11-21', format],
    ['yesterday', format],
    ['2026-13-21T09:30:00Z', format],
    [1_795_000_000, format],
    ['0000-01-01T00:00:00Z', range],
    ['9999-12-31T23:59:59-12:00', range],
  ])('answers 400 with the format or range to the occurredAt %j', async (occurredAt, message) => {
    const { post } = await givenPartner();
    const { status, headers, body } = await post(occurredAt);
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'invalid-fields', { message }]);
  });

  it('registers a conversion that occurred before the click', async () => {
    const { client, post } = await givenPartner();
    const lead = await client.lead.loadOrFail();
    const before = new Date(lead.createdAt.getTime() - dayMs).toISOString();
    expect((await post(before)).status).toBe(201);
  });

  it('does not use up an Idempotency-Key if occurredAt is out of range', async () => {
    const { post } = await givenPartner();
    const headers = { 'idempotency-key': 'once' };
    expect((await post(fromNow(6 * minuteMs), headers)).status).toBe(400);
    expect((await post(fromNow(-minuteMs), headers)).status).toBe(201);
  });
});
