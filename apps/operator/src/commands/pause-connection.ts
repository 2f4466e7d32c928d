import { pauseConnection as pause } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const pauseConnection = command({
  name: 'connection pause',
  summary:
    'send nothing more over a connection; what is pending waits until `connection resume`, and conversions registered meanwhile are never reported over it',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em }) {
    const feedback = await pause(em, id);
    if (feedback === undefined) throw new OperatorError(`there is no connection ${id}`);
    return {
      id,
      state: 'paused',
      feedback,
      next: `\`connection resume ${id}\` sends what waits; conversions registered meanwhile are never reported over it.`,
    };
  },
});
