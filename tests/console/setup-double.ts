import { renderPreview } from '@leadback/core/pages/render/page';
import express, { type Router } from 'express';
import type {
  CheckReply,
  Connection,
  ConnectionReply,
  ConnectionsReply,
  PlatformsReply,
} from '../../apps/console/src/contract/connections.ts';
import {
  type CheckPageReply,
  checkPageInput,
  type ListedPage,
  type Page,
  type PageDraft,
  type PagesReply,
  pageDraft,
} from '../../apps/console/src/contract/pages.ts';
import type {
  ListWebhooksReply,
  Webhook,
  WebhookDeliveriesReply,
  WebhookDelivery,
} from '../../apps/console/src/contract/webhooks.ts';
import { platformForms } from '../../apps/console/src/endpoints/connections.ts';
import { readDraft } from '../../apps/console/src/pages/pages.ts';
import { refuse } from './session-double.ts';

const minuteMs = 60_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();

const working: Connection = {
  id: 1,
  platform: 'meta',
  state: 'active',
  stateReason: null,
  remedy: null,
  eventKinds: ['conversion', 'lead'],
  createdAt: minutesAgo(60 * 24 * 90),
  waiting: 12,
  held: 3,
  retrying: 0,
  retryReason: null,
  retryAt: null,
  recent: { delivered: 186, failed: 4, skipped: 7, pending: 3 },
  deliveredAt: minutesAgo(2),
  failedInDay: 4,
  isFailedPartial: false,
};

const rejected: Connection = {
  ...working,
  id: 2,
  platform: 'google',
  state: 'needs_attention',
  stateReason: 'invalid_grant: Token has been expired or revoked.',
  remedy: {
    words:
      'The refresh token has expired or was revoked, for example by a password change. Sign in again with the scope https://www.googleapis.com/auth/datamanager.',
    change: ['refreshToken'],
  },
  eventKinds: ['conversion'],
  waiting: 1204,
  recent: { delivered: 61, failed: 2, skipped: 9, pending: 128 },
  deliveredAt: minutesAgo(60 * 31),
  failedInDay: 0,
};

const throttled: Connection = {
  ...working,
  id: 3,
  platform: 'tiktok',
  eventKinds: ['conversion'],
  waiting: 431,
  held: 0,
  retrying: 430,
  retryReason: 'HTTP 503: Service Unavailable',
  retryAt: minutesAgo(-3),
  recent: { delivered: 120, failed: 0, skipped: 0, pending: 80 },
  deliveredAt: minutesAgo(44),
  failedInDay: 200,
  isFailedPartial: true,
};

const idle: Connection = {
  ...working,
  id: 4,
  platform: 'linkedin',
  state: 'paused',
  eventKinds: ['conversion'],
  waiting: 0,
  recent: { delivered: 0, failed: 0, skipped: 0, pending: 0 },
  deliveredAt: null,
  failedInDay: 0,
};

const all = [working, rejected, throttled, idle];

const contents: Readonly<Record<string, Pick<ConnectionReply, 'settings' | 'credentials' | 'eventNames'>>> = {
  meta: {
    settings: { pixelId: '1234567890', eventName: 'Purchase', leadEventName: 'Lead', refundEvent: 'Refund' },
    credentials: ['accessToken'],
    eventNames: { subscription: 'Subscribe' },
  },
  google: {
    settings: { customerId: '1234567890', conversionActionId: '987654321' },
    credentials: ['clientId', 'clientSecret', 'refreshToken'],
    eventNames: {},
  },
};

const refused: CheckReply = {
  outcome: 'refused',
  reason: '190: Error validating access token: the session has been invalidated.',
  httpStatus: 400,
  answer: '{"error":{"message":"Error validating access token","type":"OAuthException","code":190}}',
  note: null,
  remedy: {
    words: 'The access token is not valid any more. Generate a new one in Events Manager.',
    change: ['accessToken'],
  },
};

/** Connections of account 1, in every state; account 2 has none. */
export const connectionsDouble = (): Router => {
  const router = express.Router({ mergeParams: true });
  router.get('/:account/connections', (request, response) => {
    const reply: ConnectionsReply = { items: request.params.account === '1' ? all : [] };
    response.json(reply);
  });
  router.get('/:account/connections/platforms', (_request, response) => {
    const reply: PlatformsReply = { items: platformForms };
    response.json(reply);
  });
  router.get('/:account/connections/:id', (request, response) => {
    const connection = all.find(({ id }) => id === Number(request.params.id));
    const content = contents[connection?.platform ?? ''];
    if (!connection || !content) return refuse(response, 404, 'not-found', 'there is no such connection');
    const reply: ConnectionReply = { connection, edition: 'first', ...content };
    return void response.json(reply);
  });
  router.post('/:account/connections/check', (_request, response) => void response.json(refused));
  return router;
};

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

const baseUrl = 'https://go.example.com/';

const listed = (id: number, slug: string, given: Partial<ListedPage>): ListedPage => ({
  id,
  slug,
  url: baseUrl + slug,
  mode: 'page',
  isOn: true,
  title: null,
  targetUrl: `https://shop.example.com/${slug}`,
  leads: 0,
  targetChange: null,
  changedAt: ago(id * id * 20),
  ...given,
});

const items: readonly ListedPage[] = [
  listed(1, 'black-friday', { title: 'Everything at half price until Sunday', leads: 18_412 }),
  listed(2, 'summer-sale', { title: 'Sandals for every day of the summer', leads: 2_930 }),
  listed(3, 'app-install', { mode: 'direct', leads: 911 }),
  listed(4, 'newsletter', { title: 'News of the season, once a month', leads: 64 }),
  listed(5, 'mothers-day-2025-buenos-aires-and-surroundings', { isOn: false, title: 'For the best of all mothers' }),
];

const draft: PageDraft = {
  targetUrl: 'https://shop.example.com/black-friday',
  mode: 'page',
  title: 'Everything at half price until Sunday',
  text: 'Leave us your email and we send you the **code** at once.\n\n- free delivery\n- 30 days to return',
  buttonLabel: 'Get my code',
  language: 'en',
  accentColor: '#0b6b3a',
  logo: null,
  hero: null,
  askedFields: ['name', 'email'],
  consentText: 'I agree that my data is shared with advertising platforms.',
  consentScope: 'sharing',
  privacyUrl: 'https://shop.example.com/privacy',
};

const page = ({ id, slug, url, isOn, changedAt, mode }: ListedPage): Page => ({
  id,
  slug,
  url,
  previewUrl: `${baseUrl}preview/of-the-double`,
  isOn,
  changedAt,
  draft: { ...draft, mode, ...(mode === 'direct' && { consentText: '' }) },
  version: 'of the double',
});

/** The pages of an account: account 2 has none. */
export const pagesDouble = (): Router => {
  const router = express.Router({ mergeParams: true });
  router.get('/:account/pages', (request, response) => {
    const own = request.params.account === '2' ? [] : [...items];
    response.json({ baseUrl, items: own, hasMore: false } satisfies PagesReply);
  });
  router.post('/:account/pages/check', (request, response) => {
    const { problems } = readDraft(checkPageInput.parse(request.body).draft);
    response.json({ problems } satisfies CheckPageReply);
  });
  router.post('/:account/pages/preview', (request, response) => {
    const { draft: typed } = Object(request.body);
    const { html, contentSecurityPolicy } = renderPreview(readDraft(pageDraft.parse(JSON.parse(typed))).content);
    response.removeHeader('Origin-Agent-Cluster');
    response.set({ 'Content-Security-Policy': contentSecurityPolicy, 'X-Frame-Options': 'SAMEORIGIN' });
    response.type('html').send(html);
  });
  router.get('/:account/pages/:id', (request, response) => {
    const found = items.find(({ id }) => id === Number(request.params.id));
    response.json(page(found ?? listed(9, 'missing', {})));
  });
  return router;
};
