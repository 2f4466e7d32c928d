import { credentialsKeys, encryptCredentials } from '@leadback/secrets';
import { type EntityManager, PlatformConnection } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import { givenAccount, type OfAccount } from './given-account.ts';
import { saved } from './saved.ts';
import { secretsKeys } from './secrets-key.ts';

interface ConnectionOptions extends OfAccount {
  readonly platform?: PlatformName;
  readonly state?: PlatformConnection['state'];
  readonly settings?: unknown;
  readonly credentials?: unknown;
}

const works = {
  meta: { settings: { pixelId: '1234567890', eventName: 'Purchase' }, credentials: { accessToken: 'test-token' } },
  google: {
    settings: { customerId: '1234567890', conversionActionId: '987654321' },
    credentials: { clientSecret: 'test-secret', refreshToken: 'test-refresh' },
  },
  tiktok: { settings: { pixelCode: 'C17TA5JC77UDOT6CA5FG' }, credentials: { accessToken: 'test-token' } },
};

export const givenConnection = async (
  em: EntityManager,
  { account, platform = 'meta', state = 'active', settings, credentials }: ConnectionOptions = {},
): Promise<PlatformConnection> => {
  const owner = account ?? (await givenAccount(em));
  const connection = em.create(PlatformConnection, {
    account: owner,
    platform,
    state,
    settings: settings ?? works[platform].settings,
    credentials: Buffer.alloc(0),
  });
  await saved(em, connection);
  // its own Google project, so that no other test uses up its quota
  const clientId = `${connection.id}-test.apps.googleusercontent.com`;
  connection.credentials = encryptCredentials(
    credentialsKeys(secretsKeys),
    { accountId: owner.id, id: connection.id },
    credentials ?? (platform === 'google' ? { ...works.google.credentials, clientId } : works[platform].credentials),
  );
  return saved(em, connection);
};
