import type { ClaimedFeedback } from '@leadback/delivery';
import { credentialsKeys, decryptCredentials, type Keys } from '@leadback/secrets';
import type { PlatformName } from '@leadback/domain';
import type { Platform, PlatformAccess, SendingMode } from '@leadback/platforms';

type Connection = ClaimedFeedback['connection'];

export interface AccessOptions {
  readonly platforms: Record<PlatformName, Platform>;
  readonly secretsKeys: Keys;
}

/**
 * Returns a function that opens a connection with its stored settings and credentials. Throws if they are invalid or
 * cannot be decrypted.
 */
export const accessOpener = ({
  platforms,
  secretsKeys,
}: AccessOptions): ((connection: Connection, mode: SendingMode) => PlatformAccess) => {
  const keys = credentialsKeys(secretsKeys);
  return ({ id, accountId, platform, settings, encryptedCredentials }, mode) =>
    platforms[platform].access(settings, decryptCredentials(keys, { id, accountId }, encryptedCredentials), mode);
};
