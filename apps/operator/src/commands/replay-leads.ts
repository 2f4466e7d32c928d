import { replayDeadLeads } from '@leadback/messaging';
import { z } from 'zod';
import { command } from '../command.ts';
import { requireSetting } from '../require-setting.ts';
import { OperatorError } from '../operator-error.ts';

export const replayLeads = command({
  name: 'lead replay',
  summary: 'store dead-lettered leads after you fixed the cause; needs the AMQP_URL of the user operator',
  input: z.object({}),
  async run(_input, { amqpUrl }) {
    const url = requireSetting('AMQP_URL', amqpUrl);
    const replayed = await replayDeadLeads(url).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(
        `cannot replay leads: ${reason}\nNo lead is lost. Check that AMQP_URL names the user operator and that a landing app has declared its queues, then run \`doctor\`.`,
      );
    });
    const next = replayed === 0 ? null : 'Run `doctor` in a minute: it reports leads that could not be stored again.';
    return { replayed, next };
  },
});
