import { z } from 'zod';
import { command } from '../command.ts';
import { connectionAdvice } from '../connection-advice.ts';
import { findConnection } from '../find-connection.ts';
import { idSchema } from '../id-schema.ts';
import { requireSetting } from '../require-setting.ts';
import { decryptConnection } from '../decrypt-connection.ts';

export const checkConnection = command({
  name: 'connection check',
  summary: 'check that a connection works, with a test event that does not count as a conversion',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, secretsKeys, platforms }) {
    const connection = await findConnection(em, id);
    const platform = platforms[connection.platform];
    const credentials = decryptConnection(connection, requireSetting('SECRETS_KEY', secretsKeys));
    const { outcome, httpStatus, body } = await platform.access(connection.settings, credentials, 'live').check();
    return {
      id,
      platform: platform.name,
      state: connection.state,
      works: outcome.kind === 'delivered',
      outcome: outcome.kind,
      httpStatus,
      answer: body,
      advice: connectionAdvice(connection, platform, outcome),
    };
  },
});
