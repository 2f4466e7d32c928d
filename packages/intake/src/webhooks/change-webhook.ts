import { pauseConnection, resumeConnection } from '@leadback/delivery';
import type { AccountMode, WebhookTopic } from '@leadback/domain';
import { type EntityManager, inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { webhookColumns, type WebhookRecord } from './read-webhooks.ts';
import { lockWebhook } from './webhook-lock.ts';
import { lockUrls, requireNewUrl } from './webhook-urls.ts';

/** Undefined: as before. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookTopic[] | undefined;
  readonly state?: 'active' | 'paused' | undefined;
}

const save = preparedStatement(
  'change-webhook',
  `update platform_connection set settings = jsonb_build_object('url', $3::text), event_kinds = $4
   where id = $1 and account_id + 0 = $2`,
);

const read = preparedStatement<WebhookRecord>(
  'read-webhook',
  `select ${webhookColumns} from platform_connection where id = $1 and account_id + 0 = $2`,
);

/**
 * Changes a webhook, then pauses or resumes it. If the second fails, the caller repeats both. Throws `not-found.webhook`, and
 * `invalid-fields` if another webhook has the URL. Returns the webhook as it is now.
 */
export type WebhookChanger = (mode: AccountMode, id: number, changes: WebhookChanges) => Promise<WebhookRecord>;

export const webhookChanger =
  (pool: Pool, em: () => EntityManager): WebhookChanger =>
  async (mode, id, { url, events, state }) => {
    const before = await inTransaction(pool, async (on) => {
      const all = url === undefined ? [] : await lockUrls(on, mode);
      const webhook = await lockWebhook(on, mode, id);
      const others = all.filter((other) => other.id !== id);
      if (url !== undefined) requireNewUrl(others, url);
      if (url !== undefined || events !== undefined)
        await save(on, [id, mode.accountId, url ?? webhook.url, events ?? webhook.events]);
      return webhook;
    });
    if (state === 'paused') await pauseConnection(em(), id);
    // a resumption gives what waits the full time for retries; to ask for it again changes nothing
    if (state === 'active' && before.state !== 'active') await resumeConnection(em(), id);
    const [after] = await read(pool, [id, mode.accountId]);
    if (!after) throw new Error(`webhook ${id} does not exist`);
    return after;
  };
