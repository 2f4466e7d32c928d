import { disablePerson } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const disableUser = command({
  name: 'user disable',
  summary: 'end all sessions of a person of the console, who can sign in again only after `user invite`',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const person = await disablePerson(em, id, actor);
    if (!person) throw new OperatorError(`there is no user ${id}`);
    return { id, email: person.email, state: 'disabled' };
  },
});
