import { resumeConnection as resume } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

export const resumeConnection = command({
  name: 'connection resume',
  summary: 'send the pending deliveries of a connection that was paused or needed attention',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  run: async ({ id }, { em, actor }) => ({ id, state: 'active', feedback: await resume(em, { actor, id }) }),
});
