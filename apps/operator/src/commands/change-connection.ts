import { credentialsKeys, type PlatformConnection, encryptCredentials } from '@leadback/db';
import type { Keys } from '@leadback/domain';
import type { Platform } from '@leadback/platforms';
import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { resumeAdvice } from '../connection-advice.ts';
import { type ConnectionContent, connectionOptions, readConnection, storedContent } from '../connection-options.ts';
import { findConnection } from '../find-connection.ts';
import { readKeyFile } from '../google-credentials.ts';
import { idSchema } from '../id-schema.ts';
import { requireSetting } from '../require-setting.ts';
import { openCredentials } from '../open-credentials.ts';
import { OperatorError } from '../operator-error.ts';

/** Those whose key is lost may be given anew, all of them. */
const storedCredentials = (
  connection: PlatformConnection,
  { credentialsSchema }: Platform,
  typed: ConnectionContent,
  keys: Keys,
): unknown => {
  try {
    return openCredentials(connection, keys);
  } catch (error) {
    if (!credentialsSchema.safeParse(typed).success) throw error;
    return {};
  }
};

export const changeConnection = command({
  name: 'connection change',
  summary: 'change settings and credentials; "" takes something away. What is not given stays, and so does the state',
  argument: '<id>',
  options: connectionOptions,
  input: z.looseObject({ id: idSchema }),
  async run({ id, ...options }, { em, secretsKeys, platforms }) {
    const keys = requireSetting('SECRETS_KEY', secretsKeys);
    if (Object.keys(options).length === 0) throw new OperatorError('nothing to change: give an option, see --help');
    const typed = await readKeyFile(options);
    return em.transactional(async (tx) => {
      const connection = await findConnection(tx, id);
      // two changes at once: the second starts from what the first has left
      await tx.lock(connection, LockMode.PESSIMISTIC_WRITE);
      await tx.refresh(connection);
      const platform = platforms[connection.platform];
      const stored = storedContent(connection.settings, storedCredentials(connection, platform, typed, keys));
      const { settings, credentials } = readConnection(platform, typed, stored);
      const owner = { id, accountId: connection.account.id };
      connection.settings = settings;
      connection.credentials = encryptCredentials(credentialsKeys(keys), owner, credentials);
      return { id, platform: connection.platform, state: connection.state, next: resumeAdvice(connection) };
    });
  },
});
