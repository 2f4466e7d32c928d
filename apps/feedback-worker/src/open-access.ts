import { type ClaimedFeedback, credentialsKey, unsealCredentials } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import type { Platform, PlatformAccess, SendingMode } from '@leadback/platforms';

type Connection = ClaimedFeedback['connection'];

export interface AccessOptions {
  readonly platforms: Record<PlatformName, Platform>;
  readonly secretsKey: Buffer;
}

/** Gives a function that opens a connection with its stored settings and credentials. It throws where they do not fit. */
export const accessOpener = ({
  platforms,
  secretsKey,
}: AccessOptions): ((connection: Connection, mode: SendingMode) => PlatformAccess) => {
  const key = credentialsKey(secretsKey);
  return ({ id, accountId, platform, settings, sealedCredentials }, mode) =>
    platforms[platform].access(settings, unsealCredentials(key, { id, accountId }, sealedCredentials), mode);
};
