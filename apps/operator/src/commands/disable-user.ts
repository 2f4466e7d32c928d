import { disablePerson } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

export const disableUser = command({
  name: 'user disable',
  summary:
    'end all sessions of a person of the console and forget password, second factor and passkeys; `user invite` gives new ones',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const { email } = await disablePerson(em, { id, actor });
    return { id, email, state: 'disabled' };
  },
});
