import { type AccountId, type AccountMode, webhookDeleted, type WebhookTopic } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';

export interface WebhookRecord {
  readonly id: number;
  readonly url: string;
  readonly events: readonly WebhookTopic[];
  readonly state: 'active' | 'paused';
  /** Whether its URL has answered a signed request with 2xx: nothing else is sent to it before. */
  readonly isVerified: boolean;
  /** Why Leadback has paused it, or how its URL failed to answer; otherwise null. */
  readonly reason: string | null;
  readonly createdAt: Date;
  /** Told of tests, and of nothing else. */
  readonly isTest: boolean;
  /** To the hour; null: it has accepted nothing yet. */
  readonly lastAcceptedAt: Date | null;
}

const columns = `id, settings->>'url' as url, event_kinds as events,
       case state when 'active' then 'active' else 'paused' end as state, state_reason as reason, verify_at is null as "isVerified",
       created_at as "createdAt", is_test as "isTest", last_accepted_at as "lastAcceptedAt"`;

const isWebhook = `platform = 'webhook' and state_reason is distinct from '${webhookDeleted}'`;

/** SQL: whether a connection is a webhook that was not deleted, of the mode in a parameter. */
export const isWebhookOf = (mode: string): string => `${isWebhook} and is_test = ${mode}`;

const list = preparedStatement<WebhookRecord>(
  'list-webhooks',
  `select ${columns} from platform_connection where account_id = $1 and ${isWebhookOf('$2')} order by id`,
);

/** Oldest first. */
export type WebhookLister = (mode: AccountMode) => Promise<readonly WebhookRecord[]>;

export const webhookLister =
  (pool: Pool): WebhookLister =>
  ({ accountId, isTest }) =>
    list(pool, [accountId, isTest]);

const read = preparedStatement<WebhookRecord>(
  'read-webhook',
  `select ${columns} from platform_connection where id = $1 and account_id + 0 = $2 and ${isWebhook} limit 1`,
);

/** Finds a webhook of an account, of either mode; undefined if there is none. */
export type WebhookFinder = (accountId: AccountId, id: number) => Promise<WebhookRecord | undefined>;

export const webhookFinder =
  (pool: Pool): WebhookFinder =>
  async (accountId, id) => {
    const [webhook] = await read(pool, [id, accountId]);
    return webhook;
  };
