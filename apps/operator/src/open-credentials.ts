import { credentialsKey, type PlatformConnection, unsealCredentials } from '@leadback/db';
import { OperatorError } from './operator-error.ts';

/** The credentials of a connection. They are for a platform alone: nothing of them may be printed. */
export const openCredentials = ({ id, account, credentials }: PlatformConnection, secretsKey: Buffer): unknown => {
  try {
    return unsealCredentials(credentialsKey(secretsKey), { id, accountId: account.id }, Buffer.from(credentials));
  } catch {
    throw new OperatorError(
      `the credentials of connection ${id} do not open; is SECRETS_KEY the one that they were sealed under?`,
    );
  }
};
