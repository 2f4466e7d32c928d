import { randomUUID } from 'node:crypto';
import type { Database } from '@leadback/db';
import {
  saveFailedVerification,
  saveVerification,
  takeUnverifiedWebhooks,
  type UnverifiedWebhook,
} from '@leadback/core/delivery/test-webhook';
import { webhookPauses, type WebhookMessage, webhookVerification } from '@leadback/domain';
import { repeat } from '@leadback/server/app';
import type { WorkerEvents } from './events.ts';
import { openConnection, type OpeningTools } from '@leadback/core/connections/open';

interface Options extends OpeningTools {
  readonly pool: Database['pool'];
  readonly events: WorkerEvents;
}

const everyMs = 1_000;
const requestsMax = 50;

const verificationOf = ({ connection: { id } }: UnverifiedWebhook): WebhookMessage => ({
  kind: 'webhook',
  eventId: `verify_${randomUUID().replaceAll('-', '')}`,
  type: webhookVerification,
  occurredAt: new Date(),
  data: { webhookId: id },
});

/**
 * Sends a signed request to the URLs that have yet to answer one with 2xx. Each is settled alone, so that none waits for a
 * slow one. Runs until it is disposed.
 */
export const webhookVerifier = ({ pool, events, ...options }: Options): AsyncDisposable => {
  /** Resolves to why it has failed; undefined: the URL is verified. */
  const request = async (webhook: UnverifiedWebhook): Promise<string | undefined> => {
    const { connection } = webhook;
    try {
      const access = openConnection(options, connection, 'live');
      const prepared = access.prepare(verificationOf(webhook), Date.now());
      if (prepared.kind !== 'event') throw new Error(`a verification is ${prepared.kind}`);
      const { outcome } = await access.send([prepared.event]);
      return outcome.kind === 'delivered' ? undefined : outcome.reason;
    } catch (error) {
      // sending never throws
      events.webhookUnreadable(connection, error);
      return webhookPauses.unreadable;
    }
  };

  const verify = async (webhook: UnverifiedWebhook): Promise<void> => {
    const reason = await request(webhook);
    try {
      if (reason !== undefined) return await saveFailedVerification(pool, webhook, reason);
      await saveVerification(pool, webhook);
      events.webhookVerified(webhook.connection);
    } catch (error) {
      // it is tried again after its lease
      events.webhookVerificationFailed(webhook.connection, error);
    }
  };

  const inProgress = new Set<Promise<void>>();
  const start = (webhook: UnverifiedWebhook): void => {
    const verifying = verify(webhook).finally(() => inProgress.delete(verifying));
    inProgress.add(verifying);
  };
  const rounds = repeat({
    everyMs,
    round: async () => {
      const free = requestsMax - inProgress.size;
      if (free > 0) for (const webhook of await takeUnverifiedWebhooks(pool, free)) start(webhook);
      return false;
    },
    onFailure: events.webhookVerifierFailed,
  });
  return {
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await Promise.all(inProgress);
    },
  };
};
