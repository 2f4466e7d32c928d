import { Account, ApiKey, type EntityManager, PlatformConnection } from '@leadback/db';
import {
  type KeyScope,
  keyScopes,
  type PlatformName,
  standardCurrencies,
  type WebhookCredentials,
  webhookName,
  webhookTopics,
} from '@leadback/domain';
import {
  type AccountKeys,
  accountMasterKeys,
  apiKeyPrefixLength,
  hashApiKey,
  issueApiKey,
  openAccountKey,
  sealNewAccountKey,
  connectionKeys,
  encryptCredentials,
  newWebhookSecret,
} from '@leadback/domain/keys';
import { platformList } from '@leadback/platforms';
import { saved, unique } from './saved.ts';
import { secretsKeys } from './contexts.ts';

const masterKeys = accountMasterKeys(secretsKeys);

/** The default rate limit never stops a test. */
export const givenAccount = async (
  em: EntityManager,
  {
    status = 'active',
    rateLimit = 1_000_000,
    attribution = 'last',
    eventIdPrefix = '',
    currencies = [...standardCurrencies],
    timeZone = 'UTC',
  }: Partial<Pick<Account, 'status' | 'rateLimit' | 'attribution' | 'eventIdPrefix' | 'currencies' | 'timeZone'>> = {},
): Promise<Account> => {
  const settings = { status, rateLimit, attribution, eventIdPrefix, currencies, timeZone };
  const account = await saved(em, em.create(Account, { name: unique('account'), ...settings }));
  account.dataKey = sealNewAccountKey(masterKeys, account.id);
  return saved(em, account);
};

/** The keys of an account, as the apps open them. */
export const keysOfAccount = ({ id, dataKey }: Account): AccountKeys => {
  if (!dataKey) throw new Error('the account was forgotten');
  return openAccountKey(masterKeys, id, dataKey);
};

export interface OfAccount {
  readonly account?: Account;
}

/** Returns the key in plain text. */
export const givenApiKey = async (
  em: EntityManager,
  {
    account,
    name = 'test',
    isTest = false,
    scopes = keyScopes,
    expiresAt = null,
    revokedAt = null,
  }: OfAccount & {
    name?: string;
    isTest?: boolean;
    scopes?: readonly KeyScope[];
    expiresAt?: Date | null;
    revokedAt?: Date | null;
  } = {},
): Promise<string> => {
  const key = issueApiKey({ isTest });
  await saved(
    em,
    em.create(ApiKey, {
      account: account ?? (await givenAccount(em)),
      name,
      keyHash: hashApiKey(key),
      prefix: key.slice(0, apiKeyPrefixLength),
      isTest,
      scopes: [...scopes],
      expiresAt,
      revokedAt,
    }),
  );
  return key;
};

interface StoredConnection
  extends Pick<PlatformConnection, 'platform'>,
    Partial<Pick<PlatformConnection, 'label' | 'state' | 'eventKinds' | 'eventNames' | 'isTest'>> {
  readonly account: Account;
}

/** Saves a connection with the settings and credentials that `contentOf` gives for its id. */
const savedConnection = async (
  em: EntityManager,
  stored: StoredConnection,
  contentOf: (id: number) => {
    readonly settings: unknown;
    readonly credentials: unknown;
    readonly destination: string;
  },
): Promise<PlatformConnection> => {
  const connection = em.create(PlatformConnection, { ...stored, settings: {}, credentials: Buffer.alloc(0) });
  // the encryption of the credentials is bound to the id, which is known once it is saved
  const { id } = await saved(em, connection);
  const { settings, credentials, destination } = contentOf(id);
  const owner = { accountId: connection.account.id, id };
  connection.settings = settings;
  connection.destination = destination;
  connection.credentials = encryptCredentials(connectionKeys(secretsKeys, connection.platform), owner, credentials);
  await saved(em, connection);
  await em.refresh(connection); // PostgreSQL counts its versions
  return connection;
};

interface ConnectionOptions extends OfAccount {
  readonly platform?: PlatformName;
  readonly label?: string;
  readonly state?: PlatformConnection['state'];
  readonly settings?: unknown;
  readonly credentials?: unknown;
  readonly eventKinds?: PlatformConnection['eventKinds'];
  readonly eventNames?: PlatformConnection['eventNames'];
}

/** A connection that works with the sandbox, with the platform's sample of settings and credentials. */
export const givenConnection = async (
  em: EntityManager,
  { account, platform = 'meta', state = 'active', settings, credentials, ...told }: ConnectionOptions = {},
  platforms = platformList,
): Promise<PlatformConnection> => {
  const descriptor = platforms.find(({ name }) => name === platform);
  if (descriptor === undefined) throw new Error(`there is no platform ${platform}`);
  const owner = account ?? (await givenAccount(em));
  return savedConnection(em, { account: owner, platform, state, ...told }, (id) => {
    const sample = descriptor.sample(id);
    const stored = settings ?? sample.settings;
    const destination = descriptor.destinationOf(stored) ?? '';
    return { settings: stored, destination, credentials: credentials ?? sample.credentials };
  });
};

interface WebhookOptions extends OfAccount, Partial<WebhookCredentials> {
  readonly url?: string;
  /** Default: everything. */
  readonly topics?: PlatformConnection['eventKinds'];
  readonly isTest?: boolean;
  readonly state?: PlatformConnection['state'];
}

/** A webhook of live events. */
export const givenWebhook = async (
  em: EntityManager,
  {
    account,
    url = 'http://127.0.0.1:9/leadback',
    topics = [...webhookTopics],
    isTest = false,
    state = 'active',
    secret = newWebhookSecret(),
    ...rotation
  }: WebhookOptions = {},
): Promise<PlatformConnection> => {
  const owner = account ?? (await givenAccount(em));
  const credentials: WebhookCredentials = { secret, ...rotation };
  return savedConnection(em, { account: owner, platform: webhookName, state, eventKinds: topics, isTest }, () => ({
    settings: { url },
    destination: new URL(url).host,
    credentials,
  }));
};
