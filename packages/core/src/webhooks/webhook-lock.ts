import { type AccountMode, type ConnectionState, Refusal, type WebhookTopic } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { isWebhookOf } from './read-webhooks.ts';

export interface LockedWebhook {
  readonly id: number;
  readonly accountId: number;
  readonly state: ConnectionState;
  readonly url: string;
  readonly events: readonly WebhookTopic[];
  readonly encryptedCredentials: Buffer;
}

const lock = preparedStatement<LockedWebhook>(
  'lock-webhook',
  `select id, account_id as "accountId", state, settings->>'url' as url, event_kinds as events,
          credentials as "encryptedCredentials"
   from platform_connection where id = $1 and account_id + 0 = $2 and ${isWebhookOf('$3')}
   limit 1 for no key update`,
);

/** Locks a webhook until the transaction ends. Throws `not-found.webhook`. */
export const lockWebhook = async (
  on: Queryable,
  { accountId, isTest }: AccountMode,
  id: number,
): Promise<LockedWebhook> => {
  const [webhook] = await lock(on, [id, accountId, isTest]);
  if (!webhook) throw new Refusal('not-found.webhook');
  return webhook;
};

/** Throws `invalid-fields.webhookPaused`. */
export const requireActive = ({ state }: LockedWebhook): void => {
  if (state !== 'active') throw new Refusal('invalid-fields.webhookPaused');
};
