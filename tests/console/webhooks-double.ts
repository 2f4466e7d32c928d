import express, { type Router } from 'express';
import type {
  WebhookDeliveriesReply,
  WebhookDelivery,
  ListWebhooksReply,
  Webhook,
} from '../../apps/console/src/contract/webhooks.ts';
import { refuse } from './double-state.ts';

const emptyAccount = '2';
const hourMs = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();

const webhooks: readonly Webhook[] = [
  {
    id: 1,
    url: 'https://shop.example/webhooks/leadback?source=ads',
    events: ['delivery.failed', 'connection.needs_attention'],
    isTest: false,
    state: 'active',
    isVerified: true,
    reason: null,
    createdAt: ago(2000),
    lastAcceptedAt: ago(2),
  },
  {
    id: 2,
    url: 'https://warehouse.shop.example/events',
    events: ['delivery.delivered', 'delivery.failed', 'delivery.skipped', 'import.finished'],
    isTest: false,
    state: 'paused',
    isVerified: true,
    reason: 'failing',
    createdAt: ago(900),
    lastAcceptedAt: ago(100),
  },
  {
    id: 3,
    url: 'https://staging.shop.example/leadback',
    events: [
      'delivery.delivered',
      'delivery.failed',
      'delivery.skipped',
      'connection.needs_attention',
      'connection.recovered',
      'import.finished',
      'reconciliation.finished',
      'page.target_changed',
    ],
    isTest: true,
    state: 'active',
    isVerified: true,
    reason: null,
    createdAt: ago(30),
    lastAcceptedAt: null,
  },
];

const deliveryOf = (id: number, attempts: WebhookDelivery['attempts']): WebhookDelivery => {
  const isAccepted = attempts.at(-1)?.outcome === 'delivered';
  return {
    id,
    messageId: `evt_0197b2f07c7d7b7f8a3de1c9b3f1a2d4_${id}`,
    type: 'delivery.failed',
    data: {
      deliveryId: 9000 + id,
      conversionId: 4000 + id,
      connectionId: 1,
      platform: 'meta',
      state: 'failed',
      reason: 'event_too_old: event_time is more than 7 days in the past',
      isTest: false,
    },
    state: isAccepted ? 'delivered' : 'pending',
    reason: isAccepted ? null : 'HTTP 503',
    attempts,
    nextAttemptAt: isAccepted ? null : new Date(Date.now() + hourMs).toISOString(),
    createdAt: ago(60 - id),
    closedAt: isAccepted ? ago(60 - id) : null,
  };
};

const unavailable = { outcome: 'unavailable', httpStatus: 503, reason: 'HTTP 503', durationMs: 3021 } as const;
const accepted = { outcome: 'delivered', httpStatus: 204, reason: null, durationMs: 84 } as const;

const log = Array.from({ length: 30 }, (_, index) => {
  const id = 50 - index;
  const last = id % 5 === 0 ? unavailable : accepted;
  return deliveryOf(id, [
    { at: ago(60 - id), ...unavailable },
    { at: ago(59 - id), ...last },
  ]);
});

const list: ListWebhooksReply = { items: [...webhooks], max: 10 };

/** The webhooks of an account; 2 has none. */
export const webhooksDouble = (): Router => {
  const router = express.Router({ mergeParams: true });
  router.get('/:account/webhooks', ({ params }, response) => {
    response.json(params.account === emptyAccount ? { ...list, items: [] } : list);
  });
  router.get('/:account/webhooks/:id', ({ params }, response) => {
    const found = webhooks.find(({ id }) => String(id) === params.id);
    if (!found) return refuse(response, 404, 'not-found', 'there is no such webhook');
    return void response.json(found);
  });
  router.get('/:account/webhooks/:id/deliveries', ({ query }, response) => {
    const items = log
      .filter(({ state }) => query['state'] === undefined || query['state'] === state)
      .filter(({ id }) => query['after'] === undefined || id < Number(query['after']));
    response.json({ items, next: null } satisfies WebhookDeliveriesReply);
  });
  return router;
};
