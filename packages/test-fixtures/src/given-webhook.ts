import type { EntityManager, PlatformConnection } from '@leadback/db';
import { type WebhookCredentials, webhookName, webhookTopics } from '@leadback/domain';
import { newWebhookSecret } from '@leadback/secrets';
import { givenAccount, type OfAccount } from './given-account.ts';
import { savedConnection } from './given-connection.ts';

interface WebhookOptions extends OfAccount, Partial<WebhookCredentials> {
  readonly url?: string;
  /** Default: everything. */
  readonly topics?: PlatformConnection['eventKinds'];
  readonly isTest?: boolean;
  readonly state?: PlatformConnection['state'];
}

/** A webhook of live events. */
export const givenWebhook = async (
  em: EntityManager,
  {
    account,
    url = 'http://127.0.0.1:9/leadback',
    topics = [...webhookTopics],
    isTest = false,
    state = 'active',
    secret = newWebhookSecret(),
    ...rotation
  }: WebhookOptions = {},
): Promise<PlatformConnection> => {
  const owner = account ?? (await givenAccount(em));
  const credentials: WebhookCredentials = { secret, ...rotation };
  return savedConnection(em, { account: owner, platform: webhookName, state, eventKinds: topics, isTest }, () => ({
    settings: { url },
    credentials,
  }));
};
