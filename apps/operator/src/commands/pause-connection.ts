import { pauseConnection as pause } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

export const pauseConnection = command({
  name: 'connection pause',
  summary:
    'stop sending over a connection; pending deliveries wait until `connection resume`, and conversions registered meanwhile are never reported over it',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const feedback = await pause(em, { actor, id });
    return {
      id,
      state: 'paused',
      feedback,
      next: `\`connection resume ${id}\` sends the pending deliveries; conversions registered meanwhile are never reported over it.`,
    };
  },
});
