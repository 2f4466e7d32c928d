import { credentialsKey, sealCredentials } from '@leadback/db';
import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { resumeAdvice } from '../connection-advice.ts';
import { connectionOptions, readConnection, storedContent } from '../connection-options.ts';
import { findConnection } from '../find-connection.ts';
import { idSchema } from '../id-schema.ts';
import { openCredentials } from '../open-credentials.ts';
import { OperatorError } from '../operator-error.ts';

export const changeConnection = command({
  name: 'connection change',
  summary: 'change settings and credentials; "" takes something away. What is not given stays, and so does the state',
  argument: '<id>',
  options: connectionOptions,
  input: z.looseObject({ id: idSchema }),
  run({ id, ...typed }, { em, secretsKey, platforms }) {
    if (Object.keys(typed).length === 0) throw new OperatorError('nothing to change: give an option, see --help');
    return em.transactional(async (tx) => {
      const connection = await findConnection(tx, id);
      // two changes at once: the second starts from what the first has left
      await tx.lock(connection, LockMode.PESSIMISTIC_WRITE);
      await tx.refresh(connection);
      const stored = storedContent(connection.settings, openCredentials(connection, secretsKey));
      const { settings, credentials } = readConnection(platforms[connection.platform], typed, stored);
      const owner = { id, accountId: connection.account.id };
      connection.settings = settings;
      connection.credentials = sealCredentials(credentialsKey(secretsKey), owner, credentials);
      return { id, platform: connection.platform, state: connection.state, next: resumeAdvice(connection) };
    });
  },
});
