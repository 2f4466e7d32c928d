import type {
  DeliveriesReply,
  Delivery,
  PreviewPayloadReply,
  ReadDeliveryReply,
} from '../../apps/console/src/contract/deliveries.ts';
import type { FindReply, Match, StoryReply } from '../../apps/console/src/contract/find.ts';
import { shownReference } from '../../apps/console/src/contract/shared.ts';
import type { UndeliveredReply } from '../../apps/console/src/contract/undelivered.ts';

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

const storyStart = Date.now() - 72 * hourMs;
const at = (hours: number): string => new Date(storyStart + hours * hourMs).toISOString();

const deliveries = (...ids: readonly number[]) => ids.flatMap((id) => deliveryDouble(id)?.delivery ?? []);

const matchOf = (clientId: number): Match => ({
  foundBy: 'email',
  leadId: clientId,
  clientId,
  conversionId: null,
  name: 'Ana Pérez',
  email: 'ana.perez.with.a.long.name@shop.example.com',
  clientReference: shownReference.parse(`customer-${clientId}`),
  leadReference: '7hT2kQ9vB4xN8mL1cR6yWz',
  page: 'black-friday',
  isTest: clientId === 12,
  conversionReference: null,
  amount: null,
  at: at(clientId - 10),
});

export const findDouble: FindReply = { matches: [matchOf(11), matchOf(12)], hasMore: true };

/** A click on Google that became two sales, one of them refunded in part. */
export const storyDouble: StoryReply = {
  isMasked: true,
  lead: {
    id: 11,
    reference: '7hT2kQ9vB4xN8mL1cR6yWz',
    page: 'black-friday',
    campaign: [
      { name: 'utm_source', value: 'google' },
      { name: 'utm_medium', value: 'cpc' },
      { name: 'utm_campaign', value: 'black-friday-2026-latam' },
    ],
    clicks: [
      { name: 'gclid', value: 'EAIa•••', clickedAt: at(-48) },
      { name: '_fbp', value: 'fb.1•••', clickedAt: null },
    ],
    referrer: 'www.google.com',
    name: null,
    email: 'a•••@g•••.com',
    phone: null,
    sharing: 'granted',
    createdAt: at(0),
  },
  clients: [
    {
      id: 11,
      name: 'A••• P•••',
      email: 'a•••@s•••.com',
      phone: '•••99',
      externalReference: shownReference.parse('customer-11'),
      isTest: false,
      createdAt: at(2),
      deliveries: deliveries(198),
      conversions: [
        {
          id: 4191,
          externalReference: shownReference.parse('order-2026-191'),
          eventName: 'subscription',
          amount: { currency: 'USD', amount: '249.90' },
          total: { currency: 'USD', amount: '99.90' },
          occurredAt: at(3),
          createdAt: at(4),
          isTest: false,
          deliveries: deliveries(190, 191, 192),
          adjustments: [
            {
              id: 7,
              kind: 'restate',
              externalReference: shownReference.parse('refund-2026-7'),
              amount: { currency: 'USD', amount: '99.90' },
              occurredAt: at(30),
              deliveries: deliveries(196),
            },
          ],
        },
        {
          id: 4195,
          externalReference: null,
          eventName: null,
          amount: { currency: 'ARS', amount: '1250000.00' },
          total: { currency: 'ARS', amount: '1250000.00' },
          occurredAt: at(50),
          createdAt: at(50),
          isTest: true,
          deliveries: [],
          adjustments: [],
        },
      ],
      hasMoreConversions: false,
    },
  ],
  otherClients: 3,
};

export const payloadDouble: PreviewPayloadReply = {
  kind: 'event',
  event: {
    event_name: 'Purchase',
    event_time: 1_795_378_241,
    event_id: 'order-2026-192',
    action_source: 'website',
    event_source_url: 'https://landing.example/black-friday?…',
    user_data: { em: ['7851…'], ph: ['0b1c…'], client_ip_address: '203.…', fbc: 'fb.1…' },
    custom_data: { value: 249.9, currency: 'USD', order_id: 'order-2026-192' },
  },
  isTest: false,
  note: null,
  held: null,
};
