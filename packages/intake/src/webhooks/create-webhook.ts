import { type AccountMode, Refusal, type WebhookCredentials, type WebhookTopic, webhooksMax } from '@leadback/domain';
import { inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { encryptCredentials, type Keys, newWebhookSecret } from '@leadback/secrets';
import { lockUrls, requireNewUrl } from './webhook-urls.ts';

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookTopic[];
}

/** The only time that the secret is shown. */
export interface CreatedWebhook {
  readonly id: number;
  readonly secret: string;
}

// the encryption of the credentials is bound to the id, so it is drawn first
const nextId = preparedStatement<{ id: number }>(
  'next-connection-id',
  `select nextval('platform_connection_id_seq') as id`,
);

const insert = preparedStatement(
  'insert-webhook',
  `insert into platform_connection (id, account_id, platform, settings, credentials, event_kinds, is_test)
   values ($1, $2, 'webhook', jsonb_build_object('url', $3::text), $4, $5, $6)`,
);

/** Throws `invalid-fields` if the account has too many webhooks, or one with this URL. */
export type WebhookCreator = (mode: AccountMode, webhook: NewWebhook) => Promise<CreatedWebhook>;

export const webhookCreator =
  (pool: Pool, keys: Keys): WebhookCreator =>
  (mode, { url, events }) =>
    inTransaction(pool, async (on) => {
      const others = await lockUrls(on, mode);
      requireNewUrl(others, url);
      if (others.length >= webhooksMax) throw new Refusal('invalid-fields.webhooks');
      const [drawn] = await nextId(on, []);
      if (!drawn) throw new Error('the sequence of connections is missing');
      const { id } = drawn;
      const credentials = { secret: newWebhookSecret() } satisfies WebhookCredentials;
      const encrypted = encryptCredentials(keys, { id, accountId: mode.accountId }, credentials);
      await insert(on, [id, mode.accountId, url, encrypted, events, mode.isTest]);
      return { id, secret: credentials.secret };
    });
