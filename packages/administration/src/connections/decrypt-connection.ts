import { connectionKeys, decryptCredentials, type SecretsKeys } from '@leadback/secrets';
import type { PlatformConnection } from '@leadback/db';
import { ActionRefused } from '@leadback/people';

/** Returns secrets: never print them. Throws an ActionRefused if no key decrypts them. */
export const decryptConnection = (
  { id, account, platform, credentials }: PlatformConnection,
  secretsKeys: SecretsKeys,
): unknown => {
  try {
    const keys = connectionKeys(secretsKeys)(platform);
    return decryptCredentials(keys, { id, accountId: account.id }, Buffer.from(credentials));
  } catch {
    throw new ActionRefused(
      'invalid',
      `cannot decrypt connection ${id}: its key is not in SECRETS_KEY. Restore the key, or run \`connection change ${id}\` with all credentials.`,
    );
  }
};
