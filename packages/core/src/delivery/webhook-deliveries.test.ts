import { Delivery, type PlatformConnection, WebhookEvent } from '@leadback/db';
import {
  closePlatformRequest,
  type RequestStatusEffect,
  takeDuePlatformRequests,
} from '@leadback/core/delivery/request-status';
import { failCrashedDeliveries, parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler } from './settle.ts';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import {
  givenContacts,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenDelivery,
  givenPlatformRequest,
  givenWebhook,
  type TestDatabase,
} from '@leadback/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenParcel, parcelViolations, type Subject } from '../../test/parcels.ts';

const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
const delivered = { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt } as const;

describe('what webhooks are told', () => {
  let database: TestDatabase;
  let connection: PlatformConnection;
  let webhook: PlatformConnection;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    const em = database.em();
    connection = await givenConnection(em, { label: 'Shop in Argentina' });
    webhook = await givenWebhook(em, { account: await connection.account.loadOrFail() });
  });

  const told = async () => {
    const accountId = connection.account.id;
    const events = await database.em().find(WebhookEvent, { accountId }, { orderBy: { id: 1 } });
    return events.map(({ type, data }) => ({ type, data }));
  };
  const claimed = async (options: Partial<Parameters<typeof givenParcel>[1]> = {}) => {
    const { id } = await givenParcel(database, { connection, ...options });
    const parcel = await parcelClaimer(database.pool, givenContacts())(id);
    if (parcel === null) throw new Error('nothing was claimed');
    return { parcel, deliveryIds: parcel.deliveries.map(({ deliveryId }) => deliveryId) };
  };
  const via = () => ({
    connectionId: connection.id,
    connection: { id: connection.id, label: 'Shop in Argentina' },
    platform: 'meta',
  });
  const base = () => ({ ...via(), isTest: false });

  it.each<[Subject, (delivery: Delivery) => object]>([
    ['conversion', ({ conversion }) => ({ conversionId: conversion?.id, conversionExternalReference: null })],
    ['client', ({ client }) => ({ clientId: client?.id })],
  ])('names the %s of a delivery', async (subject, idsOf) => {
    const { parcel, deliveryIds } = await claimed({ subject });
    await parcelSettler(database.pool)({ parcel, deliveries: [{ ...delivered, deliveryIds }] });
    const [deliveryId] = deliveryIds;
    const ids = idsOf(await database.em().findOneOrFail(Delivery, { id: deliveryId ?? 0 }));
    const data = { deliveryId, ...ids, ...base(), state: 'delivered', reason: null, message: null };
    expect(await told()).toEqual([{ type: 'delivery.delivered', data }]);
  });

  it('names an adjustment, and its conversion', async () => {
    const { parcel, deliveryIds } = await claimed({ subject: 'adjustment' });
    const skipped = { ...delivered, state: 'skipped', reason: 'not_supported', attempt: null } as const;
    await parcelSettler(database.pool)({ parcel, deliveries: [{ ...skipped, deliveryIds }] });
    const [deliveryId] = deliveryIds;
    const delivery = await database
      .em()
      .findOneOrFail(Delivery, { id: deliveryId ?? 0 }, { populate: ['adjustment.conversion'] });
    const adjustmentId = delivery.adjustment?.id;
    const conversionId = delivery.adjustment?.$.conversion.id;
    const ids = { deliveryId, adjustmentId, conversionId, conversionExternalReference: null };
    const data = { ...ids, ...base(), state: 'skipped', reason: 'not_supported', message: null };
    expect(await told()).toEqual([{ type: 'delivery.skipped', data }]);
  });

  it("names the partner's own order, where the sale was to go, and what the platform said", async () => {
    const em = database.em();
    const account = await connection.account.loadOrFail();
    const plain = await givenConnection(em, { account, settings: { pixelId: '4242' } });
    const conversion = await givenConversion(em, { account, externalReference: 'order-8731' });
    const row = await givenDelivery(em, { connection: plain, conversion });
    const parcel = await parcelClaimer(database.pool, givenContacts())(row.parcelId ?? 0);
    if (!parcel) throw new Error('nothing was claimed');
    const rejected = { ...delivered, state: 'failed', reason: '100: Invalid parameter: value' } as const;
    await parcelSettler(database.pool)({ parcel, deliveries: [{ ...rejected, deliveryIds: [row.id] }] });
    const [event] = await told();
    expect(event?.data).toMatchObject({
      conversionExternalReference: 'order-8731',
      connection: { id: plain.id, label: '4242' },
      reason: '100: Invalid parameter: value',
      message: 'Invalid parameter: value',
    });
  });

  it('tells nothing of a delivery that will be retried, or that an operator retries', async () => {
    const { parcel, deliveryIds } = await claimed();
    const retry = { ...delivered, state: 'pending', retryInMs: 60_000 } as const;
    const unavailable = { ...attempt, outcome: 'unavailable' } as const;
    await parcelSettler(database.pool)({ parcel, deliveries: [{ ...retry, attempt: unavailable, deliveryIds }] });
    const failed = await givenDelivery(database.em(), { connection, state: 'failed' });
    expect(await requeueDeliveries(database.em(), [failed.id])).toEqual([failed.id]);
    expect(await told()).toEqual([]);
  });

  it('tells once of a settlement that is repeated', async () => {
    const { parcel, deliveryIds } = await claimed({ size: 3 });
    const settlement = { parcel, deliveries: [{ ...delivered, deliveryIds }] };
    await Promise.all([1, 2, 3].map(() => parcelSettler(database.pool)(settlement)));
    expect(await told()).toHaveLength(3);
    expect(await database.em().count(Delivery, { connection: webhook.id })).toBe(3);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('tells of a delivery that failed because workers crashed', async () => {
    await givenParcel(database, { connection, leasesLost: 5 });
    await failCrashedDeliveries(database.pool);
    const data = expect.objectContaining({ ...base(), state: 'failed', reason: 'crashed' });
    expect(await told()).toEqual([{ type: 'delivery.failed', data }]);
  });

  const closed = async (effect: Partial<RequestStatusEffect>) => {
    const used = { state: 'delivered', reason: null, pauseMs: null, isOfAll: true } as const;
    const all = { ...used, refusal: null, note: null, isConfirmed: true };
    await givenPlatformRequest(database.em(), { connection, deliveries: 2 });
    for (const due of await takeDuePlatformRequests(database.pool, 20)) {
      await closePlatformRequest(database.pool, due, { verdict: {}, effect: { ...all, ...effect } });
    }
  };

  it('tells of deliveries that a platform fails later, and not of those that only get a note', async () => {
    await closed({ note: 'used with a warning' });
    expect(await told()).toEqual([]);
    await closed({ state: 'failed', reason: 'no_match' });
    const data = expect.objectContaining({ ...base(), state: 'failed', reason: 'no_match' });
    const type = 'delivery.failed';
    expect(await told()).toEqual([
      { type, data },
      { type, data },
    ]);
  });

  it('tells of a connection that a platform rejects later, and that it is resumed', async () => {
    await closed({ state: 'pending', pauseMs: 0, reason: 'x', refusal: 'terms: not signed' });
    await resumeConnection(database.em(), connection.id);
    await resumeConnection(database.em(), connection.id); // it is active
    const about = { ...via(), isTest: null };
    const rejected = { state: 'needs_attention', reason: 'terms: not signed', message: 'not signed' };
    expect(await told()).toEqual([
      { type: 'connection.needs_attention', data: { ...about, ...rejected } },
      { type: 'connection.recovered', data: { ...about, state: 'active', reason: null, message: null } },
    ]);
  });

  it('does not tell a webhook of itself', async () => {
    await pauseConnection(database.em(), webhook.id);
    await resumeConnection(database.em(), webhook.id);
    expect(await told()).toEqual([]);
    expect(await database.em().count(Delivery, { connection: webhook.id })).toBe(0);
  });

  it('puts what one commit tells a webhook into shared parcels', async () => {
    const { parcel, deliveryIds } = await claimed({ size: 150 });
    await parcelSettler(database.pool)({ parcel, deliveries: [{ ...delivered, deliveryIds }] });
    const parcels = new Set(
      (await database.em().find(Delivery, { connection: webhook.id })).map(({ parcelId }) => parcelId),
    );
    expect(parcels.size).toBe(1);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });
});
