import { signOutPerson } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

export const signOutUser = command({
  name: 'user sign-out',
  summary: 'end all sessions of a person of the console, who may sign in again',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    return { id, ...(await signOutPerson(em, { id, actor })) };
  },
});
