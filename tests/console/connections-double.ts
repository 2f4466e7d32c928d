import express, { type Router } from 'express';
import type {
  CheckReply,
  Connection,
  ConnectionReply,
  ConnectionsReply,
  PlatformsReply,
} from '../../apps/console/src/contract/connections.ts';
import { platformForms } from '../../apps/console/src/endpoints/connections.ts';
import { refuse } from './double-state.ts';

const minuteMs = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();

const working: Connection = {
  id: 1,
  platform: 'meta',
  state: 'active',
  stateReason: null,
  remedy: null,
  eventKinds: ['conversion', 'lead'],
  createdAt: ago(60 * 24 * 90),
  waiting: 12,
  held: 3,
  retrying: 0,
  retryReason: null,
  retryAt: null,
  recent: { delivered: 186, failed: 4, skipped: 7, pending: 3 },
  deliveredAt: ago(2),
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
  deliveredAt: ago(60 * 31),
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
  retryAt: ago(-3),
  recent: { delivered: 120, failed: 0, skipped: 0, pending: 80 },
  deliveredAt: ago(44),
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
