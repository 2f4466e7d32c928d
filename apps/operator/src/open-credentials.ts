import { credentialsKeys, type PlatformConnection, decryptCredentials } from '@leadback/db';
import type { Keys } from '@leadback/domain';
import { OperatorError } from './operator-error.ts';

/** The credentials of a connection. They are for a platform alone: nothing of them may be printed. */
export const openCredentials = ({ id, account, credentials }: PlatformConnection, secretsKeys: Keys): unknown => {
  try {
    return decryptCredentials(credentialsKeys(secretsKeys), { id, accountId: account.id }, Buffer.from(credentials));
  } catch {
    throw new OperatorError(
      `the credentials of connection ${id} do not open; is SECRETS_KEY the one that they were sealed under? Where that is lost, \`connection change ${id}\` takes all of them anew`,
    );
  }
};
