import {
  type AccountId,
  type AccountMode,
  webhookDeleted,
  type WebhookTopic,
  type ConnectionState,
  Refusal,
  type WebhookCredentials,
  webhooksMax,
  webhookCredentialsSchema,
} from '@leadback/domain';
import { type Pool, preparedStatement, type Queryable, type EntityManager, transaction } from '@leadback/db';
import {
  encryptCredentials,
  type Keys,
  newWebhookSecret,
  decryptCredentials,
  type SecretsKeys,
  webhookKeys,
} from '@leadback/domain/keys';
import { checkWebhookUrl, type EgressOptions, type Resolve, resolveHost } from '@leadback/platforms/address';
import { pauseConnection, resumeConnection, dropWaitingDeliveries } from '../delivery/connections.ts';
import { audit } from '../audit.ts';
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

const isWebhook = `platform = 'webhook' and state_reason is distinct from '${webhookDeleted}'`;

/** SQL: whether a connection is a webhook that was not deleted, of the mode in a parameter. */
const isWebhookOf = (mode: string): string => `${isWebhook} and is_test = ${mode}`;

const list = preparedStatement<WebhookRecord>(
  'list-webhooks',
  `select ${columns} from platform_connection where account_id = $1 and ${isWebhookOf('$2')} order by id`,
);

/** Oldest first. */
type WebhookLister = (mode: AccountMode) => Promise<readonly WebhookRecord[]>;

const webhookLister =
  (pool: Pool): WebhookLister =>
  ({ accountId, isTest }) =>
    list(pool, [accountId, isTest]);

const read = preparedStatement<WebhookRecord>(
  'read-webhook',
  `select ${columns} from platform_connection where id = $1 and account_id + 0 = $2 and ${isWebhook} limit 1`,
);

/** Finds a webhook of an account, of either mode; undefined if there is none. */
type WebhookFinder = (accountId: AccountId, id: number) => Promise<WebhookRecord | undefined>;

const webhookFinder =
  (pool: Pool): WebhookFinder =>
  async (accountId, id) => {
    const [webhook] = await read(pool, [id, accountId]);
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

interface LockedWebhook {
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
const lockWebhook = async (on: Queryable, { accountId, isTest }: AccountMode, id: number): Promise<LockedWebhook> => {
  const [webhook] = await lock(on, [id, accountId, isTest]);
  if (!webhook) throw new Refusal('not-found.webhook');
  return webhook;
};

/** Throws `invalid-fields.webhookPaused`. */
const requireActive = ({ state }: LockedWebhook): void => {
  if (state !== 'active') throw new Refusal('invalid-fields.webhookPaused');
};

const lockAccount = preparedStatement('lock-account', 'select from account where id = $1 for no key update');

const readUrls = preparedStatement<{ id: number; url: string }>(
  'webhook-urls',
  `select id, settings->>'url' as url from platform_connection where account_id = $1 and ${isWebhookOf('$2')}`,
);

/**
 * The webhooks of an account and mode, which no other transaction adds to or changes the URL of until this one ends. Every event
 * would arrive twice at a URL of two webhooks, so a caller that repeats a registration must not get a second one.
 */
const lockUrls = async (on: Queryable, { accountId, isTest }: AccountMode) => {
  await lockAccount(on, [accountId]);
  return readUrls(on, [accountId, isTest]);
};

const requireNewUrl = (others: readonly { readonly id: number; readonly url: string }[], url: string): void => {
  const same = others.find((other) => other.url === url);
  if (same) throw new Refusal('invalid-fields', { message: `url: webhook ${same.id} has this URL already` });
};

/** Undefined: as before. */
interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookTopic[] | undefined;
  readonly state?: 'active' | 'paused' | undefined;
}

// However often somebody changes or resumes a webhook, its URLs get a request every ten seconds at most. The first
// verification waits for as long: a partner may change the URL of a verified webhook again and again.
const saveChange = preparedStatement(
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
  transaction(em, async (tx) => {
    const waiting = await (state === 'paused' ? pauseConnection(tx, id) : resumeConnection(tx, id));
    // deleted meanwhile
    if (waiting === undefined) throw new Refusal('not-found.webhook');
    await audit(tx, webhookEntry(caller, state === 'paused' ? 'pause' : 'resume', id));
  });

/**
 * Changes a webhook, then pauses or resumes it. If the second fails, the caller repeats both. Throws `not-found.webhook`, and
 * `invalid-fields` if another webhook has the URL. Returns the webhook as it is now.
 */
type WebhookChanger = (caller: WebhookCaller, id: number, changes: WebhookChanges) => Promise<WebhookRecord>;

const webhookChanger = (pool: Pool, em: () => EntityManager): WebhookChanger => {
  const find = webhookFinder(pool);
  return async (caller, id, changes) => {
    const { url, events, state } = changes;
    const before = await transaction(pool, async (on) => {
      const all = url === undefined ? [] : await lockUrls(on, caller);
      const webhook = await lockWebhook(on, caller, id);
      const others = all.filter((other) => other.id !== id);
      if (url !== undefined) requireNewUrl(others, url);
      if (url !== undefined || events !== undefined) {
        await saveChange(on, [id, caller.accountId, url ?? webhook.url, events ?? webhook.events]);
        const details = replaced(webhook, changes);
        if (Object.keys(details).length > 0) await audit(on, webhookEntry(caller, 'change', id, details));
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

interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookTopic[];
}

/** The only time that the secret is shown. */
interface CreatedWebhook {
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
type WebhookCreator = (caller: WebhookCaller, webhook: NewWebhook) => Promise<CreatedWebhook>;

const webhookCreator =
  (pool: Pool, keys: Keys): WebhookCreator =>
  (caller, { url, events }) =>
    transaction(pool, async (on) => {
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
      await audit(on, webhookEntry(caller, 'create', id, details));
      return { id, secret: credentials.secret };
    });

const markDeleted = preparedStatement(
  'mark-webhook-deleted',
  `update platform_connection set state = 'paused', state_reason = '${webhookDeleted}', settings = '{}', credentials = $3,
     verify_at = null
   where id = $1 and account_id + 0 = $2`,
);

/**
 * Deletes a webhook's URL, its secret, and the deliveries that wait for it. The row stays, because the deliveries of its
 * log refer to it until retention deletes them. It is paused first and marked last: if this fails in between, the
 * webhook is still listed, and the caller deletes it again. Throws `not-found.webhook`.
 */
type WebhookDeleter = (caller: WebhookCaller, id: number) => Promise<void>;

const webhookDeleter =
  (pool: Pool, em: () => EntityManager, keys: Keys): WebhookDeleter =>
  async (caller, id) => {
    const key = { id, accountId: caller.accountId };
    await transaction(pool, (on) => lockWebhook(on, caller, id));
    await pauseConnection(em(), id);
    for (let isMore = true; isMore; ) isMore = await dropWaitingDeliveries(pool, key);
    await transaction(pool, async (on) => {
      const webhook = await lockWebhook(on, caller, id);
      await markDeleted(on, [id, caller.accountId, encryptCredentials(keys, webhook, {})]);
      await audit(on, webhookEntry(caller, 'delete', id, { url: auditedUrl(webhook.url) }));
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

const readTime = preparedStatement<{ now: Date }>('read-time', 'select now() as now');

const saveSecret = preparedStatement(
  'save-webhook-credentials',
  'update platform_connection set credentials = $3 where id = $1 and account_id + 0 = $2',
);

/** Throws `not-found.webhook`. */
type SecretRotator = (caller: WebhookCaller, id: number) => Promise<RotatedSecret>;

const secretRotator =
  (pool: Pool, keys: Keys): SecretRotator =>
  (caller, id) =>
    transaction(pool, async (on) => {
      const owner = await lockWebhook(on, caller, id);
      const before = webhookCredentialsSchema.parse(decryptCredentials(keys, owner, owner.encryptedCredentials));
      const [time] = await readTime(on, []);
      const now = time?.now ?? new Date();
      const previousUntil = new Date(now.getTime() + previousMs);
      const earlier = (before.earlier ?? []).filter(({ until }) => new Date(until) > now).slice(0, earlierMax - 1);
      const rotated: WebhookCredentials = {
        secret: newWebhookSecret(),
        earlier: [{ secret: before.secret, until: previousUntil.toISOString() }, ...earlier],
      };
      await saveSecret(on, [id, caller.accountId, encryptCredentials(keys, owner, rotated)]);
      await audit(on, webhookEntry(caller, 'rotate-secret', id));
      return { secret: rotated.secret, previousUntil };
    });

/** Returns the id of the delivery. Throws `not-found.webhook`, or `invalid-fields.webhookPaused`. */
type WebhookTester = (caller: WebhookCaller, id: number) => Promise<number>;

const webhookTester =
  (pool: Pool, em: () => EntityManager): WebhookTester =>
  async (caller, id) => {
    const webhook = await transaction(pool, (on) => lockWebhook(on, caller, id));
    requireActive(webhook);
    return transaction(em(), async (tx) => {
      const deliveryId = await sendTestToWebhook(tx, webhook);
      // paused meanwhile
      if (deliveryId === undefined) throw new Refusal('invalid-fields.webhookPaused');
      await audit(tx, webhookEntry(caller, 'test', id));
      return deliveryId;
    });
  };

const find = preparedStatement<{ id: number }>(
  'find-webhook-delivery',
  `select id from delivery
   where id = $1 and connection_id + 0 = $2 and account_id + 0 = $3 and webhook_event_id is not null`,
);

/**
 * A delivery that is pending stays as it is. Throws `not-found.webhook`, `not-found.webhookDelivery`, or
 * `invalid-fields.webhookPaused`.
 */
type WebhookRetrier = (
  caller: WebhookCaller,
  delivery: { readonly id: number; readonly deliveryId: number },
) => Promise<void>;

const webhookRetrier =
  (pool: Pool): WebhookRetrier =>
  (caller, { id, deliveryId }) =>
    transaction(pool, async (on) => {
      const webhook = await lockWebhook(on, caller, id);
      const [delivery] = await find(on, [deliveryId, id, caller.accountId]);
      if (!delivery) throw new Refusal('not-found.webhookDelivery');
      requireActive(webhook);
      const own = { id: deliveryId, connectionId: id, accountId: caller.accountId };
      if (await requeueWebhookDelivery(on, own)) await audit(on, webhookEntry(caller, 'retry', id, { deliveryId }));
    });

/** Resolves to why a URL is refused, or undefined. `ownHost`: by which the caller has reached this app. */
type UrlCheck = (url: string, ownHost: string) => Promise<string | undefined>;

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

type WithOwnHost<Act extends (...parameters: never[]) => unknown> = (
  ...parameters: [...Parameters<Act>, ownHost: string]
) => ReturnType<Act>;

/** Webhooks of an account and mode. */
export interface Webhooks {
  readonly list: WebhookLister;
  readonly find: WebhookFinder;
  /** Throws `invalid-fields` if the URL is refused, too. */
  readonly create: WithOwnHost<WebhookCreator>;
  readonly change: WithOwnHost<WebhookChanger>;
  readonly delete: WebhookDeleter;
  readonly rotateSecret: SecretRotator;
  readonly test: WebhookTester;
  readonly retry: WebhookRetrier;
}

interface WebhooksOptions {
  /** A fork for one unit of work. */
  readonly em: () => EntityManager;
  readonly secretsKeys: SecretsKeys;
  readonly checkUrl: UrlCheck;
}

export const webhooks = (pool: Pool, { em, secretsKeys, checkUrl }: WebhooksOptions): Webhooks => {
  const keys = webhookKeys(secretsKeys);
  const create = webhookCreator(pool, keys);
  const change = webhookChanger(pool, em);
  /** In the form in which it is stored and compared. */
  const accepted = async (url: string, ownHost: string): Promise<string> => {
    const problem = await checkUrl(url, ownHost);
    if (problem !== undefined) throw new Refusal('invalid-fields', { message: `url: ${problem}` });
    return new URL(url).href;
  };
  return {
    list: webhookLister(pool),
    find: webhookFinder(pool),
    create: async (caller, { url, events }, ownHost) => create(caller, { url: await accepted(url, ownHost), events }),
    change: async (caller, id, { url, ...others }, ownHost) =>
      change(caller, id, { ...others, url: url === undefined ? undefined : await accepted(url, ownHost) }),
    delete: webhookDeleter(pool, em, keys),
    rotateSecret: secretRotator(pool, keys),
    test: webhookTester(pool, em),
    retry: webhookRetrier(pool),
  };
};
