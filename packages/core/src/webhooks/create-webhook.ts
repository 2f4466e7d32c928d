import { Refusal, type WebhookCredentials, type WebhookTopic, webhooksMax } from '@leadback/domain';
import { inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { auditOn } from '../audit.ts';
import { encryptCredentials, type Keys, newWebhookSecret } from '@leadback/domain/keys';
import { auditedUrl, type WebhookCaller, webhookEntry } from './webhook-audit.ts';
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

// A deleted webhook makes room for another. Its row stays, so that an account that adds and deletes them again and again
// does not make requests as fast: beyond twenty in a minute, the first one waits a minute.
const insert = preparedStatement(
  'insert-webhook',
  `insert into platform_connection (id, account_id, platform, settings, credentials, event_kinds, is_test, verify_at)
   values ($1, $2, 'webhook', jsonb_build_object('url', $3::text), $4, $5, $6,
     case when (select count(*) from platform_connection
                where account_id = $2 and platform = 'webhook' and created_at > now() - interval '1 minute') < 20
     then now() else now() + interval '1 minute' end)`,
);

/** Throws `invalid-fields` if the account has too many webhooks, or one with this URL. */
export type WebhookCreator = (caller: WebhookCaller, webhook: NewWebhook) => Promise<CreatedWebhook>;

export const webhookCreator =
  (pool: Pool, keys: Keys): WebhookCreator =>
  (caller, { url, events }) =>
    inTransaction(pool, async (on) => {
      const others = await lockUrls(on, caller);
      requireNewUrl(others, url);
      if (others.length >= webhooksMax) throw new Refusal('invalid-fields.webhooks');
      const [drawn] = await nextId(on, []);
      if (!drawn) throw new Error('the sequence of connections is missing');
      const { id } = drawn;
      const credentials = { secret: newWebhookSecret() } satisfies WebhookCredentials;
      const encrypted = encryptCredentials(keys, { id, accountId: caller.accountId }, credentials);
      await insert(on, [id, caller.accountId, url, encrypted, events, caller.isTest]);
      const details = { url: auditedUrl(url), events, isTest: caller.isTest };
      await auditOn(on, webhookEntry(caller, 'create', id, details));
      return { id, secret: credentials.secret };
    });
