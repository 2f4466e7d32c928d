import { resumeConnection as resume } from '@leadback/delivery';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const resumeConnection = command({
  name: 'connection resume',
  summary: 'send the pending deliveries of a connection that was paused or needed attention',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em }) {
    const feedback = await resume(em, id);
    if (feedback === undefined) throw new OperatorError(`there is no connection ${id}`);
    return { id, state: 'active', feedback };
  },
});
