import { connectionKeys, encryptCredentials } from '@leadback/secrets';
import { type Account, type EntityManager, PlatformConnection } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import { platformList } from '@leadback/platforms';
import { givenAccount, type OfAccount } from './given-account.ts';
import { saved } from './saved.ts';
import { secretsKeys } from './secrets-key.ts';

interface StoredConnection
  extends Pick<PlatformConnection, 'platform'>,
    Partial<Pick<PlatformConnection, 'state' | 'eventKinds' | 'eventNames' | 'isTest'>> {
  readonly account: Account;
}

/** Saves a connection with the settings and credentials that `contentOf` gives for its id. */
export const savedConnection = async (
  em: EntityManager,
  stored: StoredConnection,
  contentOf: (id: number) => { readonly settings: unknown; readonly credentials: unknown },
): Promise<PlatformConnection> => {
  const connection = em.create(PlatformConnection, { ...stored, settings: {}, credentials: Buffer.alloc(0) });
  // the encryption of the credentials is bound to the id, which is known once it is saved
  const { id } = await saved(em, connection);
  const { settings, credentials } = contentOf(id);
  const owner = { accountId: connection.account.id, id };
  connection.settings = settings;
  connection.credentials = encryptCredentials(connectionKeys(secretsKeys)(connection.platform), owner, credentials);
  await saved(em, connection);
  await em.refresh(connection); // PostgreSQL counts its versions
  return connection;
};

interface ConnectionOptions extends OfAccount {
  readonly platform?: PlatformName;
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
    return { settings: settings ?? sample.settings, credentials: credentials ?? sample.credentials };
  });
};
