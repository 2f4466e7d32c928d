import type { DeliveriesReply, Delivery, ReadDeliveryReply } from '../../apps/console/src/contract/deliveries.ts';
import type { UndeliveredReply } from '../../apps/console/src/contract/undelivered.ts';
import { shownReference } from '../../apps/console/src/contract/shared.ts';

const states = ['delivered', 'delivered', 'failed', 'pending', 'skipped'] as const;
const platforms = ['meta', 'google', 'tiktok'] as const;
const reasons: Readonly<Partial<Record<Delivery['state'], string>>> = { failed: 'event_too_old', skipped: 'consent' };
const pageSize = 50;
const hourMs = 3_600_000;
const start = Date.now();

const deliveryOf = (id: number): Delivery => {
  const state = states[id % states.length] ?? 'delivered';
  const createdAt = new Date(start - (200 - id) * hourMs).toISOString();
  const isOpen = state === 'pending';
  const code = reasons[state] ?? null;
  return {
    id,
    connectionId: (id % 3) + 1,
    platform: platforms[id % 3] ?? 'meta',
    connectionState: 'active',
    event: id % 7 === 0 ? 'restate' : 'conversion',
    conversionId: 4000 + id,
    externalReference: shownReference.parse(`order-2026-${id}`),
    amount: { currency: id % 4 === 0 ? 'ARS' : 'USD', amount: id % 4 === 0 ? '1250000.00' : '249.90' },
    previousAmount: id % 7 === 0 ? { currency: id % 4 === 0 ? 'ARS' : 'USD', amount: '299.90' } : null,
    state,
    reason: code === null ? null : `${code}: the platform accepts events of the last 7 days`,
    code,
    note: null,
    attempts: isOpen ? 0 : 1,
    isTest: false,
    occurredAt: createdAt,
    createdAt,
    closedAt: isOpen ? null : createdAt,
    nextAttemptAt: isOpen ? new Date(start + hourMs).toISOString() : null,
    canRetry: code !== null,
  };
};

const all = Array.from({ length: 120 }, (_, index) => deliveryOf(200 - index));

/** By the filters of the URL. */
export const deliveriesDouble = (query: Readonly<Record<string, unknown>>): DeliveriesReply => {
  const found = all
    .filter(({ platform }) => query['platform'] === undefined || query['platform'] === platform)
    .filter(({ state }) => query['state'] === undefined || query['state'] === state)
    .filter(({ code }) => query['code'] === undefined || query['code'] === code)
    .filter(({ conversionId }) => query['conversion'] === undefined || Number(query['conversion']) === conversionId)
    .filter(({ id }) => query['after'] === undefined || id < Number(query['after']));
  const items = query['test'] === 'true' ? [] : found.slice(0, pageSize);
  return { items, next: found.length > pageSize ? (items.at(-1)?.id ?? null) : null };
};

export const deliveryDouble = (id: number): ReadDeliveryReply | undefined => {
  const delivery = all.find((one) => one.id === id);
  if (!delivery) return undefined;
  const isFailed = delivery.state === 'failed';
  return {
    delivery,
    meaning: isFailed ? 'The event is older than the platform accepts.' : null,
    remedy: isFailed ? 'Register conversions within 7 days.' : null,
    attempts: [
      {
        at: delivery.createdAt,
        outcome: 'unavailable',
        reason: 'HTTP 503',
        httpStatus: 503,
        answer: '<html>temporarily unavailable</html>',
        durationMs: 3021,
        platformRequest: null,
      },
      {
        at: new Date(Date.parse(delivery.createdAt) + hourMs).toISOString(),
        outcome: isFailed ? 'rejected' : 'delivered',
        reason: delivery.reason,
        httpStatus: isFailed ? 400 : 200,
        answer: '{"events_received":1,"messages":[],"fbtrace_id":"AbCdEf123"}',
        durationMs: 212,
        platformRequest: null,
      },
    ],
  };
};

export const undeliveredDouble: UndeliveredReply = {
  groups: [
    {
      connectionId: 1,
      platform: 'meta',
      connectionState: 'active',
      state: 'failed',
      code: 'event_too_old',
      example: 'event_too_old: event_time is more than 7 days in the past',
      meaning: 'The event is older than the platform accepts.',
      remedy: 'Register conversions within 7 days of the sale.',
      deliveries: 1204,
      conversions: 1180,
      money: [
        { currency: 'ARS', amount: '18250000.00' },
        { currency: 'USD', amount: '31220.00' },
      ],
      isPartial: false,
    },
    {
      connectionId: 2,
      platform: 'google',
      connectionState: 'needs_attention',
      state: 'failed',
      code: 'other',
      example: 'The developer token is not approved for this account',
      meaning: null,
      remedy: null,
      deliveries: 88,
      conversions: 88,
      money: [{ currency: 'USD', amount: '4100.50' }],
      isPartial: false,
    },
    {
      connectionId: 3,
      platform: 'tiktok',
      connectionState: 'active',
      state: 'skipped',
      code: 'consent',
      example: null,
      meaning: 'The visitor did not agree to share data with this platform.',
      remedy: 'Nothing to do: the choice of the visitor holds.',
      deliveries: 12,
      conversions: 12,
      money: [],
      isPartial: false,
    },
  ],
  waiting: [
    {
      connectionId: 3,
      platform: 'tiktok',
      deliveries: 88,
      conversions: 80,
      money: [{ currency: 'USD', amount: '910.00' }],
      isPartial: false,
    },
  ],
};
