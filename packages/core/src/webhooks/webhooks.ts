import {
  type AccountId,
  type AccountMode,
  webhookName,
  type WebhookTopic,
  Refusal,
  type WebhookCredentials,
  webhooksMax,
  webhookCredentialsSchema,
  webhookSettingsSchema,
} from '@leadback/domain';
import { type Pool, type Queryable, statement, transaction } from '@leadback/db';
import { connectionKeys, newWebhookSecret, decryptCredentials, type SecretsKeys } from '@leadback/domain/keys';
import { checkWebhookUrl, type EgressOptions, type Resolve, resolveHost } from '@leadback/platforms/address';
import { audit } from '../audit.ts';
import {
  changeWebhookContent,
  emptyConnection,
  insertConnection,
  lockAccount,
  lockWebhook,
  pauseConnection,
  replaceCredentials,
  resumeConnection,
  webhookDestination,
  type StoredConnection,
} from '../connections/store.ts';
import { requeueWebhookDelivery } from '../delivery/requeue.ts';
import { sendTestToWebhook } from '../delivery/test-webhook.ts';

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

const isWebhook = `platform = '${webhookName}' and deleted_at is null`;

const list = statement<WebhookRecord>(
  `select ${columns} from platform_connection where account_id = $1 and ${isWebhook} and is_test = $2 order by id`,
);

/** Oldest first. */
export const listWebhooks = (on: Queryable, { accountId, isTest }: AccountMode): Promise<readonly WebhookRecord[]> =>
  list(on, [accountId, isTest]);

const read = statement<WebhookRecord>(
  `select ${columns} from platform_connection where id = $1 and account_id = $2 and ${isWebhook}
     and is_test = coalesce($3, is_test)`,
);

/** Of which account, and of which mode; undefined: of either. */
export interface WebhookOwner {
  readonly accountId: AccountId;
  readonly isTest?: boolean;
}

/** Throws `not-found.webhook`. */
export const findWebhook = async (
  on: Queryable,
  { accountId, isTest }: WebhookOwner,
  id: number,
): Promise<WebhookRecord> => {
  const [webhook] = await read(on, [id, accountId, isTest ?? null]);
  if (!webhook) throw new Refusal('not-found.webhook');
  return webhook;
};

/** Who acts on the webhooks of an account and mode. */
export interface WebhookCaller extends AccountMode {
  /** For the audit log: the email of a person, or `key 7`. */
  readonly actor: string;
}

type Verb = 'create' | 'change' | 'pause' | 'resume' | 'delete' | 'rotate-secret' | 'test' | 'retry';

/** The entry of the audit log about an action on a webhook. */
const webhookEntry = (
  { actor, accountId }: WebhookCaller,
  verb: Verb,
  id: number,
  details: Readonly<Record<string, unknown>> = {},
) => ({ actor, action: `webhook.${verb}`, accountId, target: `webhook ${id}`, details });

/** A URL as the audit log may show it for ever: paths and queries may contain secrets of the receiver. */
const auditedUrl = (url: string): string => `${new URL(url).origin}/…`;

/** Locks a webhook until the transaction ends. Throws `not-found.webhook`. */
const hold = async (tx: Queryable, caller: WebhookCaller, id: number): Promise<StoredConnection> => {
  const webhook = await lockWebhook(tx, caller, id);
  if (!webhook) throw new Refusal('not-found.webhook');
  return webhook;
};

const urlOf = ({ settings }: StoredConnection): string => webhookSettingsSchema.parse(settings).url;

/** Resolves to why a URL is refused, or undefined. `ownHost`: by which the caller has reached this app. */
export type UrlCheck = (url: string, ownHost: string) => Promise<string | undefined>;

export interface UrlCheckOptions extends EgressOptions {
  /** Host names of this installation, besides those by which callers reach the app. */
  readonly ownHosts: readonly string[];
  /** Replaces DNS. */
  readonly resolve?: Resolve;
}

// Node.js resolves names in the four threads that also read files: a slow DNS server must not occupy all of them
const lookupsMax = 2;
const lookupMs = 2_500;

/** As `resolveHost`, but rejects if it takes long. `inProgress`: how many look-ups have not ended, late ones included. */
const limitedResolve = (resolveName: Resolve) => {
  const lookups = { inProgress: 0 };
  const resolve: Resolve = (host) => {
    lookups.inProgress += 1;
    const found = resolveName(host).finally(() => {
      lookups.inProgress -= 1;
    });
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('the look-up took too long')), lookupMs);
    return Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
  };
  return { lookups, resolve };
};

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Checks URLs of webhooks. Throws `overloaded` while too many names are looked up. */
export const urlCheck = ({ ownHosts, resolve: resolveName = resolveHost, ...egress }: UrlCheckOptions): UrlCheck => {
  const { lookups, resolve } = limitedResolve(resolveName);
  return async (url, ownHost) => {
    if (lookups.inProgress >= lookupsMax) throw new Refusal('overloaded');
    // on a developer's machine, everything has the same host
    const own = [...ownHosts, ownHost.toLowerCase()].filter((host) => !loopbackHosts.includes(host));
    return checkWebhookUrl(url, { ...egress, ownHosts: own, resolve });
  };
};

/** In the form in which it is stored and compared. Throws `invalid-fields` if it is refused. */
const acceptedUrl = async (checkUrl: UrlCheck, url: string, ownHost: string): Promise<string> => {
  const problem = await checkUrl(url, ownHost);
  if (problem !== undefined) throw new Refusal('invalid-fields', { message: `url: ${problem}` });
  return new URL(url).href;
};

/**
 * The webhooks of an account and mode, which no other transaction adds to or changes the URL of until this one ends. Every
 * event would arrive twice at a URL of two webhooks, so a caller that repeats a registration must not get a second one.
 */
const lockWebhooks = async (tx: Queryable, mode: AccountMode): Promise<readonly WebhookRecord[]> => {
  await lockAccount(tx, mode.accountId);
  return listWebhooks(tx, mode);
};

const requireNewUrl = (others: readonly WebhookRecord[], url: string): void => {
  const same = others.find((other) => other.url === url);
  if (same) throw new Refusal('invalid-fields', { message: `url: webhook ${same.id} has this URL already` });
};

interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookTopic[];
  /** By which the caller has reached this app. */
  readonly ownHost: string;
}

/** The only time that the secret is shown. */
interface CreatedWebhook {
  readonly id: number;
  readonly secret: string;
}

/** Throws `invalid-fields` if the URL is refused, or the account has too many webhooks, or one with this URL. */
export const createWebhook = async (
  pool: Pool,
  { secretsKeys, checkUrl }: { readonly secretsKeys: SecretsKeys; readonly checkUrl: UrlCheck },
  caller: WebhookCaller,
  { url: given, events, ownHost }: NewWebhook,
): Promise<CreatedWebhook> => {
  const url = await acceptedUrl(checkUrl, given, ownHost);
  const credentials = { secret: newWebhookSecret() } satisfies WebhookCredentials;
  return transaction(pool, async (tx) => {
    const others = await lockWebhooks(tx, caller);
    requireNewUrl(others, url);
    if (others.length >= webhooksMax) throw new Refusal('invalid-fields.webhooks');
    const { accountId, isTest } = caller;
    const id = await insertConnection(tx, secretsKeys, {
      accountId,
      platform: webhookName,
      destination: webhookDestination(url),
      settings: { url },
      credentials,
      eventKinds: events,
      isTest,
    });
    await audit(tx, webhookEntry(caller, 'create', id, { url: auditedUrl(url), events, isTest }));
    return { id, secret: credentials.secret };
  });
};

/** Undefined: as before. */
interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookTopic[] | undefined;
  readonly state?: 'active' | 'paused' | undefined;
  /** By which the caller has reached this app. */
  readonly ownHost: string;
}

type Content = Pick<NewWebhook, 'url' | 'events'>;

/** What a change replaces, field by field. */
const replaced = (before: Content, after: Content): Readonly<Record<string, unknown>> => ({
  ...(after.url !== before.url && { url: { before: auditedUrl(before.url), after: auditedUrl(after.url) } }),
  ...(String(after.events) !== String(before.events) && { events: { before: before.events, after: after.events } }),
});

/**
 * Changes a webhook, and pauses or resumes it. Throws `not-found.webhook`, and `invalid-fields` if the URL is refused or that
 * of another webhook. Returns the webhook as it is now.
 */
export const changeWebhook = async (
  pool: Pool,
  checkUrl: UrlCheck,
  caller: WebhookCaller,
  id: number,
  { url: given, events, state, ownHost }: WebhookChanges,
): Promise<WebhookRecord> => {
  const url = given === undefined ? undefined : await acceptedUrl(checkUrl, given, ownHost);
  return transaction(pool, async (tx) => {
    const all = url === undefined ? [] : await lockWebhooks(tx, caller);
    const webhook = await hold(tx, caller, id);
    if (url !== undefined) {
      const others = all.filter((other) => other.id !== id);
      requireNewUrl(others, url);
    }
    const before = await findWebhook(tx, caller, id);
    const after = { url: url ?? before.url, events: events ?? before.events };
    const details = replaced(before, after);
    if (Object.keys(details).length > 0) {
      await changeWebhookContent(tx, webhook, after);
      await audit(tx, webhookEntry(caller, 'change', id, details));
    }
    // to ask for the state that it has changes nothing: neither why it was paused, nor the time for retries
    if (state !== undefined && state !== before.state) {
      await (state === 'paused' ? pauseConnection(tx, id) : resumeConnection(tx, id));
      await audit(tx, webhookEntry(caller, state === 'paused' ? 'pause' : 'resume', id));
    }
    return findWebhook(tx, caller, id);
  });
};

const parcelsMax = 50;

// Parcels are locked before deliveries, here as in every statement.
const drop = statement<{ parcels: number }>(
  `with parcel as (
     select id from delivery_due where connection_id = $1 and account_id = $2
     order by not_before limit ${parcelsMax} for update
   ), gone as (
     delete from delivery_due where id = any(array(select id from parcel)) returning delivery_ids
   ), dropped as (
     delete from delivery
     where id = any(array(select unnest(delivery_ids) from gone)) and account_id = $2 and connection_id = $1
       and state = 'pending'
   )
   select count(*)::int as parcels from gone`,
);

/**
 * Deletes some of the deliveries that wait for a paused connection, as if they had never been enqueued. Returns whether
 * there may be more. What a worker is sending now may still arrive; its outcome is not saved.
 */
const dropWaitingDeliveries = async (
  on: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<boolean> => {
  const [dropped] = await drop(on, [id, accountId]);
  return dropped?.parcels === parcelsMax;
};

/**
 * Deletes a webhook's URL, its secret, and the deliveries that wait for it. The row stays, because the deliveries of its
 * log refer to it until retention deletes them. It is paused first and emptied last: if this fails in between, the
 * webhook is still listed, and the caller deletes it again. Throws `not-found.webhook`.
 */
export const deleteWebhook = async (
  pool: Pool,
  secretsKeys: SecretsKeys,
  caller: WebhookCaller,
  id: number,
): Promise<void> => {
  await transaction(pool, async (tx) => {
    await hold(tx, caller, id);
    await pauseConnection(tx, id);
  });
  for (let isMore = true; isMore; ) isMore = await dropWaitingDeliveries(pool, { id, accountId: caller.accountId });
  await transaction(pool, async (tx) => {
    const webhook = await hold(tx, caller, id);
    await emptyConnection(tx, secretsKeys, webhook);
    await audit(tx, webhookEntry(caller, 'delete', id, { url: auditedUrl(urlOf(webhook)) }));
  });
};

const previousMs = 24 * 60 * 60 * 1000;
// each signature makes every request longer
const earlierMax = 4;

interface RotatedSecret {
  /** The only time that it is shown. */
  readonly secret: string;
  /** Until when the one before signs as well. */
  readonly previousUntil: Date;
}

const readTime = statement<{ now: Date }>('select now() as now');

/** Throws `not-found.webhook`. */
export const rotateWebhookSecret = (
  pool: Pool,
  secretsKeys: SecretsKeys,
  caller: WebhookCaller,
  id: number,
): Promise<RotatedSecret> =>
  transaction(pool, async (tx) => {
    const webhook = await hold(tx, caller, id);
    const keys = connectionKeys(secretsKeys, webhookName);
    const before = webhookCredentialsSchema.parse(decryptCredentials(keys, webhook, webhook.encryptedCredentials));
    const [time] = await readTime(tx, []);
    const now = time?.now ?? new Date();
    const previousUntil = new Date(now.getTime() + previousMs);
    const earlier = (before.earlier ?? []).filter(({ until }) => new Date(until) > now).slice(0, earlierMax - 1);
    const rotated: WebhookCredentials = {
      secret: newWebhookSecret(),
      earlier: [{ secret: before.secret, until: previousUntil.toISOString() }, ...earlier],
    };
    await replaceCredentials(tx, secretsKeys, webhook, rotated);
    await audit(tx, webhookEntry(caller, 'rotate-secret', id));
    return { secret: rotated.secret, previousUntil };
  });

/** Returns the id of the delivery. Throws `not-found.webhook`, or `invalid-fields.webhookPaused`. */
export const testWebhook = (pool: Pool, caller: WebhookCaller, id: number): Promise<number> =>
  transaction(pool, async (tx) => {
    const webhook = await hold(tx, caller, id);
    const deliveryId = await sendTestToWebhook(tx, webhook);
    if (deliveryId === undefined) throw new Refusal('invalid-fields.webhookPaused');
    await audit(tx, webhookEntry(caller, 'test', id));
    return deliveryId;
  });

const findDelivery = statement(
  `select id from delivery
   where id = $1 and connection_id = $2 and account_id = $3 and webhook_event_id is not null`,
);

/**
 * A delivery that is pending stays as it is. Throws `not-found.webhook`, `not-found.webhookDelivery`, or
 * `invalid-fields.webhookPaused`.
 */
export const retryWebhookDelivery = (
  pool: Pool,
  caller: WebhookCaller,
  { id, deliveryId }: { readonly id: number; readonly deliveryId: number },
): Promise<void> =>
  transaction(pool, async (tx) => {
    const { state, accountId } = await hold(tx, caller, id);
    const [delivery] = await findDelivery(tx, [deliveryId, id, accountId]);
    if (!delivery) throw new Refusal('not-found.webhookDelivery');
    if (state !== 'active') throw new Refusal('invalid-fields.webhookPaused');
    const own = { id: deliveryId, connectionId: id, accountId };
    if (await requeueWebhookDelivery(tx, own)) await audit(tx, webhookEntry(caller, 'retry', id, { deliveryId }));
  });
