import { checkConnection as check } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { connectionAdvice } from '../connection-advice.ts';
import { connectionTools } from '../connection-tools.ts';
import { idSchema } from '../id-schema.ts';

export const checkConnection = command({
  name: 'connection check',
  summary: 'check that a connection works, with a test event that does not count as a conversion',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, context) {
    const { connection, outcome, httpStatus, body } = await check(context.em, connectionTools(context), { id });
    const platform = context.platforms[connection.platform];
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
