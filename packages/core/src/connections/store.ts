import {
  type AccountId,
  type AccountMode,
  type ConnectionState,
  type DestinationName,
  type EventKind,
  webhookName,
  type WebhookTopic,
} from '@leadback/domain';
import { type CredentialsOwner, connectionKeys, encryptCredentials, type SecretsKeys } from '@leadback/domain/keys';
import { type Queryable, statement } from '@leadback/db';
import { changedConnectionColumns, changedConnections, sentToWebhooks } from '../delivery/webhook-deliveries.ts';
import type { DeliveryConnection } from './open.ts';
import { type AccountScope, ActionRefused } from '../people/access.ts';

/** A connection to a platform, or a webhook, as it is stored: the rows that people, partners and platforms change here. */
export interface StoredConnection extends DeliveryConnection {
  /** Null: it is called as its destination. */
  readonly label: string | null;
  readonly destination: string;
  readonly eventNames: Readonly<Record<string, string>>;
  readonly eventKinds: readonly (EventKind | WebhookTopic)[];
  readonly state: ConnectionState;
  readonly stateReason: string | null;
  /** Of a webhook: its mode. Null for platforms: both modes. */
  readonly isTest: boolean | null;
}

const columns = `id, account_id as "accountId", platform, label, destination, version, settings, event_names as "eventNames",
  credentials as "encryptedCredentials", event_kinds as "eventKinds", state, state_reason as "stateReason",
  is_test as "isTest", credentials_entered_at::text as "credentialsEnteredAt"`;

const ofAccount = `select ${columns} from platform_connection where id = $1 and account_id = coalesce($2, account_id) and deleted_at is null`;

const read = statement<StoredConnection>(ofAccount);
// what refers to it, such as new deliveries, does not wait
const lock = statement<StoredConnection>(`${ofAccount} for no key update`);

/** Which connection. */
export interface WantedConnection {
  readonly id: number;
  /** Only a connection of this account to a platform; undefined: of any account, also a webhook. */
  readonly scope?: AccountScope | undefined;
}

const finding =
  (select: typeof read) =>
  async (on: Queryable, { id, scope }: WantedConnection): Promise<StoredConnection> => {
    const [connection] = await select(on, [id, scope?.accountId ?? null]);
    if (!connection || (scope && connection.platform === webhookName)) {
      throw new ActionRefused('not-found', `there is no connection ${id}`);
    }
    return connection;
  };

/** Throws an ActionRefused if there is none, or it was deleted. */
export const findConnection = finding(read);

/** The same; nobody else changes it until the transaction ends. */
export const lockConnection = finding(lock);

/** A webhook of this account and mode, which nobody else changes until the transaction ends. */
export const lockWebhook = async (
  tx: Queryable,
  { accountId, isTest }: AccountMode,
  id: number,
): Promise<StoredConnection | undefined> => {
  const [webhook] = await lock(tx, [id, accountId]);
  return webhook?.isTest === isTest ? webhook : undefined;
};

const lockOne = statement('select from account where id = $1 for no key update');

/** Whether there is such an account. No other transaction adds connections to it until this one ends. */
export const lockAccount = async (tx: Queryable, accountId: AccountId): Promise<boolean> =>
  (await lockOne(tx, [accountId])).length > 0;

interface Owner extends CredentialsOwner {
  readonly platform: DestinationName;
}

const encrypted = (secretsKeys: SecretsKeys, owner: Owner, credentials: unknown): Buffer =>
  encryptCredentials(connectionKeys(secretsKeys, owner.platform), owner, credentials);

const nextId = statement<{ id: number }>(`select nextval('platform_connection_id_seq') as id`);

// A deleted webhook makes room for another. Its row stays, so that an account that adds and deletes them again and again
// does not make requests as fast: beyond twenty in a minute, the first one waits a minute.
const insert = statement(
  `insert into platform_connection (id, account_id, platform, settings, credentials, event_kinds, event_names, is_test, label,
                                    destination, verify_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $3::text = '${webhookName}' then
     case when (select count(*) from platform_connection
                where account_id = $2 and platform = '${webhookName}' and created_at > now() - interval '1 minute') < 20
     then now() else now() + interval '1 minute' end end)`,
);

interface NewConnection
  extends Pick<StoredConnection, 'accountId' | 'platform' | 'destination' | 'settings' | 'eventKinds'> {
  readonly label?: string | null;
  readonly eventNames?: StoredConnection['eventNames'];
  /** Of a webhook. */
  readonly isTest?: boolean;
  readonly credentials: unknown;
}

/** Returns its id. */
export const insertConnection = async (
  tx: Queryable,
  secretsKeys: SecretsKeys,
  {
    accountId,
    platform,
    label,
    destination,
    settings,
    credentials,
    eventKinds,
    eventNames = {},
    isTest,
  }: NewConnection,
): Promise<number> => {
  // the encryption of the credentials is bound to the id, so it is drawn first
  const [drawn] = await nextId(tx, []);
  if (!drawn) throw new Error('the sequence of connections is missing');
  const { id } = drawn;
  const stored = encrypted(secretsKeys, { id, accountId, platform }, credentials);
  const called = [label ?? null, destination];
  await insert(tx, [id, accountId, platform, settings, stored, eventKinds, eventNames, isTest ?? null, ...called]);
  return id;
};

const saveCredentials = statement('update platform_connection set credentials = $3 where id = $1 and account_id = $2');

export const replaceCredentials = async (
  tx: Queryable,
  secretsKeys: SecretsKeys,
  owner: Owner,
  credentials: unknown,
): Promise<void> => {
  await saveCredentials(tx, [owner.id, owner.accountId, encrypted(secretsKeys, owner, credentials)]);
};

const saveContent = statement(
  `update platform_connection set settings = $3, event_kinds = $4, event_names = $5, credentials = $6,
     credentials_entered_at = case when $7 then now() else credentials_entered_at end, label = $8, destination = $9
   where id = $1 and account_id = $2`,
);

interface ConnectionContent
  extends Pick<StoredConnection, 'label' | 'destination' | 'settings' | 'eventKinds' | 'eventNames'> {
  readonly credentials: unknown;
  readonly areCredentialsNew: boolean;
}

/** Changes a connection to a platform. */
export const changeContent = async (
  tx: Queryable,
  secretsKeys: SecretsKeys,
  owner: Owner,
  { label, destination, settings, eventKinds, eventNames, credentials, areCredentialsNew }: ConnectionContent,
): Promise<void> => {
  const stored = encrypted(secretsKeys, owner, credentials);
  const content = [settings, eventKinds, eventNames, stored, areCredentialsNew];
  await saveContent(tx, [owner.id, owner.accountId, ...content, label, destination]);
};

// However often somebody changes or resumes a webhook, its URLs get a request every ten seconds at most. The first
// verification waits for as long: a partner may change the URL of a verified webhook again and again.
const saveWebhook = statement(
  `update platform_connection
   set settings = jsonb_build_object('url', $3::text), event_kinds = $4, destination = $5,
       verify_at = case when settings->>'url' is distinct from $3
                        then least(verify_at, now() + interval '10 seconds') else verify_at end,
       verify_attempts = case when settings->>'url' is distinct from $3 then 0 else verify_attempts end
   where id = $1 and account_id = $2`,
);

/** Paths and queries may contain secrets of the receiver. */
export const webhookDestination = (url: string): string => new URL(url).host;

/** A new URL is verified before anything is sent to it. */
export const changeWebhookContent = async (
  tx: Queryable,
  { id, accountId }: CredentialsOwner,
  { url, events }: { readonly url: string; readonly events: readonly WebhookTopic[] },
): Promise<void> => {
  await saveWebhook(tx, [id, accountId, url, events, webhookDestination(url)]);
};

// a connection to a platform keeps its settings, which are no secret: the history names its destination
const markDeleted = statement(
  `update platform_connection
   set deleted_at = now(), state = 'paused', state_reason = null, credentials = $3, verify_at = null,
       settings = case platform when '${webhookName}' then '{}' else settings end,
       destination = case platform when '${webhookName}' then '' else destination end
   where id = $1 and account_id = $2`,
);

/** Deletes the credentials of a connection, and all else of a webhook. The row stays, to which its deliveries refer. */
export const emptyConnection = async (tx: Queryable, secretsKeys: SecretsKeys, owner: Owner): Promise<void> => {
  await markDeleted(tx, [owner.id, owner.accountId, encrypted(secretsKeys, owner, {})]);
};

const waitingOf = (connection: string) => `(
  select coalesce(sum(cardinality(d.delivery_ids)), 0)::int from delivery_due d
  where d.connection_id = ${connection}.id and d.account_id = ${connection}.account_id) as waiting`;

const isNotDeleted = 'and deleted_at is null';

const pause = statement<{ waiting: number }>(
  `update platform_connection set state = 'paused', state_reason = null where id = $1 ${isNotDeleted}
   returning ${waitingOf('platform_connection')}`,
);

/**
 * Pauses a connection: its deliveries wait, because only parcels of active connections are claimed.
 * Returns how many wait; undefined if there is no such connection. Deliveries that a worker has claimed are still sent.
 */
export const pauseConnection = async (on: Queryable, id: number): Promise<number | undefined> =>
  (await pause(on, [id]))[0]?.waiting;

const resume = statement<{ waiting: number }>(
  `with before as (
     select id, state from platform_connection where id = $1 ${isNotDeleted} for no key update
   ), switched as (
     update platform_connection c set state = 'active', state_reason = null, resumed_at = now(),
       verify_at = case when c.verify_at is not null then least(c.verify_at, now() + interval '10 seconds') end,
       verify_attempts = 0
     from before where c.id = before.id
     returning ${changedConnectionColumns}, before.state as earlier_state
   ), ${sentToWebhooks(
     'select account_id from switched',
     changedConnections(`switched where earlier_state <> 'active'`, 'connection.recovered'),
   )} select ${waitingOf('switched')} from switched`,
);

/**
 * Makes a connection active again; deliveries that waited for it have the full time for retries from now
 * on. Returns how many; undefined if there is no such connection. Rejections of requests made before count no more.
 * The account's webhooks are told of a connection that was not active.
 */
export const resumeConnection = async (on: Queryable, id: number): Promise<number | undefined> =>
  (await resume(on, [id]))[0]?.waiting;

const reject = statement(
  `with before as (
     select id, state from platform_connection where id = $1 and platform <> '${webhookName}' for no key update
   ), rejected as (
     update platform_connection c set state = 'needs_attention', state_reason = $2 from before where c.id = before.id
     returning ${changedConnectionColumns}, before.state as earlier_state
   ), ${sentToWebhooks(
     'select account_id from rejected',
     changedConnections(`rejected where earlier_state <> 'needs_attention'`, 'connection.needs_attention'),
   )} select id from rejected`,
);

/** Holds a connection that its platform rejects, or says why it still does. The account's webhooks are told once. */
export const rejectConnection = async (on: Queryable, id: number, reason: string): Promise<void> => {
  await reject(on, [id, reason]);
};
