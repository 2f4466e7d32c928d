import { replayDeadLeads } from '@leadback/messaging';
import { z } from 'zod';
import { command } from '../command.ts';
import { requireSetting } from '../require-setting.ts';
import { OperatorError } from '../operator-error.ts';

export const replayLeads = command({
  name: 'lead replay',
  summary:
    'let landing apps try again to write the leads that they could not, once what was in the way is mended; with the AMQP_URL of the user operator',
  input: z.object({}),
  async run(_input, { amqpUrl }) {
    const url = requireSetting('AMQP_URL', amqpUrl);
    const replayed = await replayDeadLeads(url).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(
        `RabbitMQ did not do it: ${reason}\nIt takes the AMQP_URL of the user operator, and queues that a landing app has made: see what \`doctor\` says. Nothing is lost.`,
      );
    });
    const next = replayed === 0 ? null : '`doctor` tells in a minute whether some could not be written once more.';
    return { replayed, next };
  },
});
