import type { DeliveryConnection } from '@leadback/delivery';
import { connectionKeys, decryptCredentials, type SecretsKeys } from '@leadback/secrets';
import type { PlatformAccess, Platforms, SendingMode } from '@leadback/platforms';

export interface AccessOptions {
  readonly platforms: Platforms;
  readonly secretsKeys: SecretsKeys;
}

/**
 * Returns a function that opens a connection with its stored settings and credentials. Throws if they are invalid or
 * cannot be decrypted.
 */
export const accessOpener = ({
  platforms,
  secretsKeys,
}: AccessOptions): ((connection: DeliveryConnection, mode: SendingMode) => PlatformAccess) => {
  const keysOf = connectionKeys(secretsKeys);
  return ({ id, accountId, platform, settings, eventNames, encryptedCredentials }, mode) => {
    const credentials = decryptCredentials(keysOf(platform), { id, accountId }, encryptedCredentials);
    return platforms[platform].access(settings, credentials, mode, eventNames);
  };
};
