import { pauseConnection, resumeConnection } from '../delivery/connections.ts';
import { Refusal, type WebhookTopic } from '@leadback/domain';
import { type EntityManager, inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { audit, auditOn } from '../audit.ts';
import { webhookFinder, type WebhookRecord } from './read-webhooks.ts';
import { auditedUrl, type WebhookCaller, webhookEntry } from './webhook-audit.ts';
import { type LockedWebhook, lockWebhook } from './webhook-lock.ts';
import { lockUrls, requireNewUrl } from './webhook-urls.ts';

/** Undefined: as before. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookTopic[] | undefined;
  readonly state?: 'active' | 'paused' | undefined;
}

// However often somebody changes or resumes a webhook, its URLs get a request every ten seconds at most. The first
// verification waits for as long: a partner may change the URL of a verified webhook again and again.
const save = preparedStatement(
  'change-webhook',
  `update platform_connection
   set settings = jsonb_build_object('url', $3::text), event_kinds = $4,
       verify_at = case when settings->>'url' is distinct from $3
                        then least(verify_at, now() + interval '10 seconds') else verify_at end,
       verify_attempts = case when settings->>'url' is distinct from $3 then 0 else verify_attempts end
   where id = $1 and account_id + 0 = $2`,
);

/** What a change replaces, field by field. */
const replaced = (before: LockedWebhook, { url, events }: WebhookChanges): Readonly<Record<string, unknown>> => ({
  ...(url !== undefined && url !== before.url && { url: { before: auditedUrl(before.url), after: auditedUrl(url) } }),
  ...(events !== undefined &&
    String(events) !== String(before.events) && { events: { before: before.events, after: events } }),
});

const switchState = (em: EntityManager, caller: WebhookCaller, id: number, state: 'active' | 'paused'): Promise<void> =>
  em.transactional(async (tx) => {
    const waiting = await (state === 'paused' ? pauseConnection(tx, id) : resumeConnection(tx, id));
    // deleted meanwhile
    if (waiting === undefined) throw new Refusal('not-found.webhook');
    await audit(tx, webhookEntry(caller, state === 'paused' ? 'pause' : 'resume', id));
  });

/**
 * Changes a webhook, then pauses or resumes it. If the second fails, the caller repeats both. Throws `not-found.webhook`, and
 * `invalid-fields` if another webhook has the URL. Returns the webhook as it is now.
 */
export type WebhookChanger = (caller: WebhookCaller, id: number, changes: WebhookChanges) => Promise<WebhookRecord>;

export const webhookChanger = (pool: Pool, em: () => EntityManager): WebhookChanger => {
  const find = webhookFinder(pool);
  return async (caller, id, changes) => {
    const { url, events, state } = changes;
    const before = await inTransaction(pool, async (on) => {
      const all = url === undefined ? [] : await lockUrls(on, caller);
      const webhook = await lockWebhook(on, caller, id);
      const others = all.filter((other) => other.id !== id);
      if (url !== undefined) requireNewUrl(others, url);
      if (url !== undefined || events !== undefined) {
        await save(on, [id, caller.accountId, url ?? webhook.url, events ?? webhook.events]);
        const details = replaced(webhook, changes);
        if (Object.keys(details).length > 0) await auditOn(on, webhookEntry(caller, 'change', id, details));
      }
      return webhook;
    });
    // to ask for the state that it has changes nothing: neither why it was paused, nor the time for retries
    const isActive = before.state === 'active';
    if (state !== undefined && isActive !== (state === 'active')) await switchState(em(), caller, id, state);
    const after = await find(caller.accountId, id);
    if (!after) throw new Refusal('not-found.webhook');
    return after;
  };
};
