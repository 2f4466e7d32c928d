import { givenContacts, shared } from '@leadback/testing';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { webhookDeliveryLister } from '@leadback/core/webhooks/list-deliveries';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';
import { deliveryIdOf, givenWebhookPartner, type TestPartner } from './given-webhooks.ts';

const pageSchema = z.object({
  items: z.array(z.looseObject({ id: z.number(), state: z.string() })),
  next: z.string().nullable(),
});

/** Tests `count` times; returns the ids of the deliveries, newest first. */
const tested = async (partner: TestPartner, id: number, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let done = 0; done < count; done += 1) {
    ids.unshift(deliveryIdOf(await partner.send('POST', `/${id}/test`)));
    await partner.closeTest(id);
  }
  return ids;
};
const list = async (partner: TestPartner, path: string) => pageSchema.parse((await partner.send('GET', path)).body);

const outcomes = {
  delivered: { outcome: 'delivered', state: 'delivered', reason: null, httpStatus: 204 },
  unavailable: { outcome: 'unavailable', state: 'pending', reason: 'HTTP 503', httpStatus: 503 },
  unreachable: { outcome: 'unavailable', state: 'pending', reason: 'unreachable', httpStatus: null },
} as const;

describe('the deliveries of a webhook', async () => {
  const api = await shared(givenApi({ allowLoopback: true }));

  /** Claims a delivery and settles it as a worker does. */
  const settle = async (deliveryId: number, kind: 'delivered' | 'unavailable' | 'unreachable') => {
    const { pool } = api.database;
    const { rows } = await pool.query<{ id: string }>(
      'update delivery_due set not_before = now() where $1 = any(delivery_ids) returning id',
      [deliveryId],
    );
    const parcel = await parcelClaimer(pool, givenContacts())(Number(rows[0]?.id));
    if (!parcel) throw new Error('the parcel could not be claimed');
    const { outcome, state, reason, httpStatus } = outcomes[kind];
    const attempt = { outcome, reason, httpStatus, answer: '<b>busy</b>', durationMs: 84 };
    const next = { state, reason, retryInMs: 3_600_000, isCounted: true };
    await parcelSettler(pool)({ parcel, deliveries: [{ ...next, deliveryIds: [deliveryId], attempt }] });
  };

  it('a test event is sent whatever the events of the webhook, and the log shows it', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ events: ['import.finished'] });
    const [deliveryId] = await tested(partner, id, 1);
    const { items, next } = await list(partner, `/${id}/deliveries`);
    expect({ items, next }).toEqual({
      items: [
        {
          id: deliveryId,
          messageId: expect.stringMatching(/^evt_[0-9a-f]{32}_\d+$/),
          type: 'webhook.test',
          data: { webhookId: id, isTest: false },
          state: 'pending',
          reason: null,
          attempts: [],
          nextAttemptAt: expect.any(String),
          createdAt: expect.any(String),
          closedAt: null,
        },
      ],
      next: null,
    });
  });

  it('shows every attempt with its time, HTTP status and duration, and the next one, but not what the endpoint responded', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [deliveryId = 0] = await tested(partner, id, 1);
    await settle(deliveryId, 'unavailable');
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const failed = { at, outcome: 'unavailable', httpStatus: 503, reason: 'HTTP 503', durationMs: 84 };
    const { items: waiting } = await list(partner, `/${id}/deliveries`);
    expect(waiting).toMatchObject([{ state: 'pending', reason: 'HTTP 503', attempts: [failed], nextAttemptAt: at }]);
    expect(JSON.stringify(waiting)).not.toContain('busy');
    await settle(deliveryId, 'delivered');
    const accepted = { at, outcome: 'delivered', httpStatus: 204, reason: null, durationMs: 84 };
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toMatchObject([
      { state: 'delivered', reason: null, attempts: [failed, accepted], nextAttemptAt: null, closedAt: at },
    ]);
  });

  it('has one open test, also if it is asked for many at once, and sends it sooner', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const asked = Array.from({ length: 5 }, () => partner.send('POST', `/${id}/test`));
    const ids = new Set((await Promise.all(asked)).map(deliveryIdOf));
    expect(ids.size).toBe(1);
    const [deliveryId = 0] = ids;
    await settle(deliveryId, 'unavailable');
    expect(deliveryIdOf(await partner.send('POST', `/${id}/test`))).toBe(deliveryId);
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toHaveLength(1);
    expect(Date.parse(String(items[0]?.['nextAttemptAt']))).toBeLessThan(Date.now() + 60_000);
    await settle(deliveryId, 'delivered');
    expect(deliveryIdOf(await partner.send('POST', `/${id}/test`))).not.toBe(deliveryId);
  });

  it('does not show how long it took to find no receiver', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [deliveryId = 0] = await tested(partner, id, 1);
    await settle(deliveryId, 'unreachable');
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toMatchObject([{ attempts: [{ httpStatus: null, reason: 'unreachable', durationMs: 0 }] }]);
  });

  it('a paused webhook has no next attempt, and can be sent neither a test nor a retry', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [deliveryId] = await tested(partner, id, 1);
    await partner.send('PATCH', `/${id}`, { state: 'paused' });
    expect((await list(partner, `/${id}/deliveries`)).items).toMatchObject([{ state: 'pending', nextAttemptAt: null }]);
    const message = 'id: the webhook is paused; set its state to active first';
    for (const path of ['test', `deliveries/${deliveryId}/retry`]) {
      const { status, body } = await partner.send('POST', `/${id}/${path}`);
      expect([path, status, body]).toEqual([path, 400, { message }]);
    }
  });

  it('sends a delivery again that was accepted or failed, and leaves a pending one as it is', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const [failed = 0, accepted = 0, pending = 0] = await tested(partner, id, 3);
    await settle(accepted, 'delivered');
    await settle(pending, 'unavailable');
    const { pool } = api.database;
    await pool.query('delete from delivery_due where $1 = any(delivery_ids)', [failed]);
    await pool.query(`update delivery set state = 'failed', parcel_id = null, closed_at = now() where id = $1`, [
      failed,
    ]);
    const before = (await list(partner, `/${id}/deliveries`)).items.find((one) => one.id === pending);
    for (const deliveryId of [failed, accepted, pending]) {
      const reply = await partner.send('POST', `/${id}/deliveries/${deliveryId}/retry`);
      expect([reply.status, reply.body]).toEqual([202, { deliveryId }]);
    }
    const { items } = await list(partner, `/${id}/deliveries`);
    expect(items).toMatchObject([
      { id: failed, state: 'pending', attempts: [{ outcome: 'requeued', reason: 'was failed' }] },
      { id: accepted, state: 'pending', attempts: [{ outcome: 'delivered' }, { outcome: 'requeued' }] },
      before,
    ]);
    await settle(accepted, 'delivered');
  });

  it('a delivery of another webhook cannot be sent again through this one', async () => {
    const partner = await givenWebhookPartner(api);
    const [one, other] = [await partner.webhook(), await partner.webhook()];
    const [deliveryId] = await tested(partner, one, 1);
    const { status, body } = await partner.send('POST', `/${other}/deliveries/${deliveryId}/retry`);
    expect([status, body]).toEqual([404, { message: 'deliveryId: this webhook has no delivery with this id' }]);
  });

  it('lists the newest first, fifty at a time, and only its own', async () => {
    const partner = await givenWebhookPartner(api);
    const [id, other] = [await partner.webhook(), await partner.webhook()];
    await tested(partner, other, 1);
    const ids = await tested(partner, id, 60);
    const first = await list(partner, `/${id}/deliveries`);
    expect(first.items.map((one) => one.id)).toEqual(ids.slice(0, 50));
    const second = await list(partner, `/${id}/deliveries?after=${first.next}`);
    expect(second.items.map((one) => one.id)).toEqual(ids.slice(50));
    expect(second.next).toBeNull();
  });

  it('lists those in a state, in pages that end after a number of deliveries read, and leaves none out', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    const ids = await tested(partner, id, 9);
    const rare = ids.filter((_, index) => index % 4 === 3);
    for (const deliveryId of rare) await settle(deliveryId, 'delivered');
    const mode = { accountId: partner.account.id, isTest: false };
    const lister = webhookDeliveryLister(api.database.pool, { readMax: 2 });
    const pages: number[][] = [];
    for (let after: number | undefined, isMore = true; isMore; ) {
      const page = await lister(mode, { id, state: 'delivered', after, limit: 2 });
      pages.push(page?.items.map((one) => one.id) ?? []);
      after = page?.next ?? undefined;
      isMore = after !== undefined;
    }
    expect(pages.flat()).toEqual(rare);
    expect(pages).toHaveLength(5);
    expect((await list(partner, `/${id}/deliveries?state=delivered`)).items.map((one) => one.id)).toEqual(rare);
  });
});
