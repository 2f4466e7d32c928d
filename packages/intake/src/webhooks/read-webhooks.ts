import { type AccountMode, webhookDeleted, type WebhookTopic } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';

export interface WebhookRecord {
  readonly id: number;
  readonly url: string;
  readonly events: readonly WebhookTopic[];
  readonly state: 'active' | 'paused';
  /** Why Leadback has paused it; null if it has not. */
  readonly reason: string | null;
  readonly createdAt: Date;
}

/** SQL: the columns of a `WebhookRecord`. */
export const webhookColumns = `id, settings->>'url' as url, event_kinds as events,
       case state when 'active' then 'active' else 'paused' end as state, state_reason as reason,
       created_at as "createdAt"`;

/** SQL: whether a connection is a webhook that was not deleted, of the mode in a parameter. */
export const isWebhookOf = (mode: string): string =>
  `platform = 'webhook' and is_test = ${mode} and state_reason is distinct from '${webhookDeleted}'`;

const list = preparedStatement<WebhookRecord>(
  'list-webhooks',
  `select ${webhookColumns} from platform_connection where account_id = $1 and ${isWebhookOf('$2')} order by id`,
);

/** Oldest first. */
export type WebhookLister = (mode: AccountMode) => Promise<readonly WebhookRecord[]>;

export const webhookLister =
  (pool: Pool): WebhookLister =>
  ({ accountId, isTest }) =>
    list(pool, [accountId, isTest]);
