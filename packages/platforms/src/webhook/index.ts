import { randomUUID } from 'node:crypto';
import {
  type DeliverableEvent,
  eventTooOld,
  webhookCredentialsSchema,
  webhookName,
  webhookSettingsSchema,
} from '@leadback/domain';
import { z } from 'zod';
import { isRemedy } from '../codes.ts';
import type { Platform } from '../define-platform.ts';
import { notSupported } from '../not-supported.ts';
import type { Prepared } from '../platform.ts';
import { dayMs } from '../span.ts';
import { webhookCodes } from './codes.ts';
import { webhookSender, type WebhookTuning } from './send.ts';

/** Where deliveries go: what the worker and the operator need of a platform or of webhooks. */
export type Destination = Pick<Platform, 'name' | 'title' | 'limits' | 'codes' | 'remedyFor' | 'access'>;

// as long as the log of a webhook is kept; one that was paused for long is not told of what nobody remembers
const eventAgeMaxMs = 30 * dayMs;

const messageSchema = z.object({ id: z.string(), body: z.string() });

const prepare = (event: DeliverableEvent, atMs: number): Prepared => {
  if (event.kind !== 'webhook') return notSupported;
  const { eventId: id, type, occurredAt, data } = event;
  if (atMs - occurredAt.getTime() > eventAgeMaxMs) return { kind: 'skipped', reason: eventTooOld };
  const body = JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
  return { kind: 'event', event: { id, body }, keys: 0 };
};

const checkMessage = (nowMs: number) => {
  const [type, timestamp] = ['webhook.test', new Date(nowMs).toISOString()] as const;
  return { id: `check_${randomUUID().replaceAll('-', '')}`, body: JSON.stringify({ type, timestamp, data: {} }) };
};

/**
 * Webhooks of partners, as Standard Webhooks describe them: https://www.standardwebhooks.com. One event per request, and
 * few requests at a time: the receivers are shops.
 */
export const webhookDestination = (tuning: WebhookTuning): Destination => {
  const { now = Date.now } = tuning;
  const send = webhookSender(tuning);
  return {
    name: webhookName,
    title: 'Webhook',
    limits: { eventsMax: { live: 1, test: 1 }, requestsMax: 4, requestsMaxOfAccount: 8, eventAgeMaxMs },
    codes: webhookCodes,
    remedyFor: (reason) => {
      const meaning = webhookCodes.meaningOf(reason);
      return isRemedy(meaning) ? meaning : webhookCodes.otherRemedy;
    },
    access: (settings, stored) => {
      const { url } = webhookSettingsSchema.parse(settings);
      const credentials = webhookCredentialsSchema.parse(stored);
      return {
        prepare,
        send: ([event]) => send(url, credentials, messageSchema.parse(event)),
        check: () => send(url, credentials, checkMessage(now())),
      };
    },
  };
};
