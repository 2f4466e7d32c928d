import { randomUUID } from 'node:crypto';
import type { Database } from '@leadback/db';
import {
  saveFailedVerification,
  saveVerification,
  takeUnverifiedWebhooks,
  type UnverifiedWebhook,
} from '@leadback/delivery';
import { webhookPauses, type WebhookMessage, webhookVerification } from '@leadback/domain';
import { repeat } from '@leadback/runtime';
import type { WorkerEvents } from './events.ts';
import { type AccessOptions, accessOpener } from './lanes.ts';

interface Options extends AccessOptions {
  readonly pool: Database['pool'];
  readonly events: WorkerEvents;
}

const everyMs = 1_000;
const webhooksMax = 50;

const verificationOf = ({ connection: { id } }: UnverifiedWebhook): WebhookMessage => ({
  kind: 'webhook',
  eventId: `verify_${randomUUID().replaceAll('-', '')}`,
  type: webhookVerification,
  occurredAt: new Date(),
  data: { webhookId: id },
});

/** Sends a signed request to the URLs that have yet to answer one with 2xx. Runs until it is disposed. */
export const webhookVerifier = ({ pool, events, ...options }: Options): AsyncDisposable => {
  const open = accessOpener(options);

  const verify = async (webhook: UnverifiedWebhook): Promise<void> => {
    const { connection } = webhook;
    try {
      const access = open(connection, 'live');
      const prepared = access.prepare(verificationOf(webhook), Date.now());
      if (prepared.kind !== 'event') throw new Error(`a verification is ${prepared.kind}`);
      const { outcome } = await access.send([prepared.event]);
      if (outcome.kind === 'delivered') {
        await saveVerification(pool, webhook);
        events.webhookVerified(connection);
        return;
      }
      const isGone = outcome.kind === 'refused' && outcome.reason === webhookPauses.gone;
      await saveFailedVerification(pool, webhook, { reason: outcome.reason, isGone });
    } catch (error) {
      // it is tried again after its lease; an internal error with one webhook must not delay others
      events.webhookVerificationFailed(connection, error);
    }
  };

  return repeat({
    everyMs,
    round: async () => {
      const webhooks = await takeUnverifiedWebhooks(pool, webhooksMax);
      await Promise.all(webhooks.map(verify));
      return webhooks.length === webhooksMax;
    },
    onFailure: events.webhookVerifierFailed,
  });
};
