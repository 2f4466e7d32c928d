import type { Account } from '@leadback/db';
import {
  givenAccount,
  givenAdjustment,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenWebhook,
  shared,
} from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveriesReply, readDeliveryReply } from '../src/contract/deliveries.ts';
import { givenConsole } from './given-console.ts';

const dollars = (amount: string) => ({ currency: 'USD', amount });

describe('deliveries in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const list = async (query = '') =>
    deliveriesReply.parse((await person.get(`/api/accounts/${account.id}/deliveries?${query}`)).body);
  const found = async (query: string) => (await list(query)).items.map(({ id }) => id);
  const read = (id: number) => person.get(`/api/accounts/${account.id}/deliveries/${id}`);
  const retry = (ids: readonly number[]) => person.post(`/api/accounts/${account.id}/deliveries/retry`, { ids });

  it('are listed newest first, page after page, without those of other accounts', async () => {
    const em = console.database.em();
    const connection = await givenConnection(em, { account });
    const client = await givenClient(em, { account });
    const { pool } = console.database;
    await givenDelivery(em);
    const { rows } = await pool.query<{ id: number }>(
      `with sold as (
         insert into conversion (account_id, client_id, lead_id, amount, currency, event_id, landing_page_id, campaign)
         select $1, $2, (select lead_id from client where id = $2), 10, 'USD', gen_random_uuid(), $4, '' from generate_series(1, 120) returning id)
       insert into delivery (account_id, conversion_id, connection_id, occurred_at, landing_page_id, campaign, state, closed_at)
       select $1, id, $3, now(), $4, '', 'delivered', now() from sold returning id::int`,
      [account.id, client.id, connection.id, client.landingPageId],
    );
    const expected = rows.map(({ id }) => id).toSorted((one, other) => other - one);
    const seen: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const { items, next } = await list(after === 0 ? '' : `after=${after}`);
      seen.push(...items.map(({ id }) => id));
      after = next;
    }
    expect(seen).toEqual(expected);
  });

  it('are narrowed by platform, connection, state, reason, conversion and mode', async () => {
    const em = console.database.em();
    const meta = await givenConnection(em, { account });
    const google = await givenConnection(em, { account, platform: 'google' });
    const conversion = await givenConversion(em, { account });
    const one = await givenDelivery(em, { connection: meta, conversion, state: 'failed', reason: 'HTTP 400: x' });
    const two = await givenDelivery(em, { connection: google, conversion, state: 'skipped', reason: 'consent' });
    const three = await givenDelivery(em, { connection: meta, state: 'delivered' });
    const lead = await givenDelivery(em, { connection: meta, client: await givenClient(em, { account }) });
    const tested = await givenConversion(em, { account, isTest: true });
    const test = await givenDelivery(em, { connection: meta, conversion: tested, state: 'delivered' });
    expect(await found('')).toEqual([lead.id, three.id, two.id, one.id]);
    expect(await found('platform=google')).toEqual([two.id]);
    expect(await found(`connection=${meta.id}`)).toEqual([lead.id, three.id, one.id]);
    expect(await found('state=delivered')).toEqual([three.id]);
    expect(await found('state=failed&code=HTTP%20400')).toEqual([one.id]);
    expect(await found('state=failed&code=consent')).toEqual([]);
    expect(await found(`conversion=${conversion.id}`)).toEqual([two.id, one.id]);
    expect(await found(`conversion=${conversion.id}&state=skipped`)).toEqual([two.id]);
    expect(await found('test=true')).toEqual([test.id]);
  });

  it('tell what was reported, of which sale, and the outcome', async () => {
    const em = console.database.em();
    const connection = await givenConnection(em, { account });
    const sale = { amount: '49.90', currency: 'ARS', externalReference: 'order-1' } as const;
    const conversion = await givenConversion(em, { account, ...sale });
    const { id } = await givenDelivery(em, { connection, conversion, state: 'skipped', reason: 'consent' });
    expect((await list()).items).toEqual([
      expect.objectContaining({
        id,
        event: 'conversion',
        conversionId: conversion.id,
        externalReference: 'order-1',
        amount: { currency: 'ARS', amount: '49.90' },
        state: 'skipped',
        code: 'consent',
        canRetry: true,
        nextAttemptAt: null,
      }),
    ]);
    const { delivery, attempts } = readDeliveryReply.parse((await read(id)).body);
    expect({ id: delivery.id, code: delivery.code, attempts }).toEqual({ id, code: 'consent', attempts: [] });
  });

  it('tell of an adjustment the new total, which the platform is told, and the total before', async () => {
    const em = console.database.em();
    const connection = await givenConnection(em, { account });
    const conversion = await givenConversion(em, { account, amount: '149.90' });
    const told = async (kind: 'restate' | 'retract', amount: string, previousAmount: string) => {
      const adjustment = await givenAdjustment(em, { conversion, kind, amount, previousAmount });
      await givenDelivery(em, { connection, adjustment });
    };
    await givenDelivery(em, { connection, conversion });
    await told('restate', '99.90', '149.90');
    await told('retract', '0.00', '99.90');
    expect((await list()).items).toMatchObject([
      { event: 'retract', amount: dollars('0.00'), previousAmount: dollars('99.90') },
      { event: 'restate', amount: dollars('99.90'), previousAmount: dollars('149.90') },
      { event: 'conversion', amount: dollars('149.90'), previousAmount: null },
    ]);
  });

  it('show their attempts, oldest first, with the request for a retry', async () => {
    const em = console.database.em();
    const connection = await givenConnection(em, { account });
    const { id } = await givenDelivery(em, { connection, state: 'failed', reason: 'HTTP 500: down' });
    await console.database.pool.query(
      `insert into delivery_attempt (account_id, delivery_id, outcome, reason, http_status, answer, duration_ms)
       values ($1, $2, 'unavailable', 'HTTP 500: down', 500, '{"error":"down"}', 31)`,
      [account.id, id],
    );
    expect((await retry([id])).body).toEqual({ retried: [id], left: [] });
    const { delivery, attempts } = readDeliveryReply.parse((await read(id)).body);
    expect(attempts).toMatchObject([
      { outcome: 'unavailable', httpStatus: 500, answer: '{"error":"down"}', durationMs: 31 },
      { outcome: 'requeued', reason: 'was failed: HTTP 500: down' },
    ]);
    expect(delivery).toMatchObject({ state: 'pending', canRetry: false, nextAttemptAt: expect.any(String) });
  });

  it('are sent again only if that helps; the others are left, and it says why', async () => {
    const em = console.database.em();
    const connection = await givenConnection(em, { account });
    const paused = await givenConnection(em, { account, state: 'paused' });
    const failed = await givenDelivery(em, { connection, state: 'failed' });
    const delivered = await givenDelivery(em, { connection, state: 'delivered' });
    const held = await givenDelivery(em, { connection: paused, state: 'failed' });
    expect((await retry([failed.id, delivered.id, held.id])).body).toEqual({
      retried: [failed.id],
      left: [
        { id: delivered.id, why: 'delivered' },
        { id: held.id, why: 'connection-inactive' },
      ],
    });
    expect((await retry([failed.id])).body).toEqual({ retried: [], left: [{ id: failed.id, why: 'pending' }] });
  });

  it('leave out those of webhooks', async () => {
    const em = console.database.em();
    const webhook = await givenWebhook(em, { account });
    const conversion = await givenConversion(em, { account });
    const { id } = await givenDelivery(em, { connection: webhook, conversion, state: 'failed' });
    expect([await found(''), await found('state=failed'), await found(`conversion=${conversion.id}`)]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await read(id)).status).toBe(404);
    expect((await retry([id])).body).toEqual({ retried: [], left: [{ id, why: 'unknown' }] });
    const { body } = await person.get(`/api/accounts/${account.id}/undelivered`);
    expect(body).toEqual({ groups: [], onTheirWay: [] });
  });

  it('are at most 100 in one retry', async () => {
    const { status } = await retry(Array.from({ length: 101 }, (_, place) => place + 1));
    expect(status).toBe(400);
  });
});
