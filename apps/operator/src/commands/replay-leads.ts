import { replayDeadLeads } from '@leadback/messaging';
import { z } from 'zod';
import { command } from '../command.ts';
import { needed } from '../needed.ts';

export const replayLeads = command({
  name: 'lead replay',
  summary:
    'let landing apps try again to write the leads that they could not, once what was in the way is mended; with the AMQP_URL of the landing app',
  input: z.object({}),
  async run(_input, { amqpUrl }) {
    const replayed = await replayDeadLeads(needed('AMQP_URL', amqpUrl));
    const next = replayed === 0 ? null : '`doctor` tells in a minute whether some could not be written once more.';
    return { replayed, next };
  },
});
