import { listPeople } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';

export const listUsers = command({
  name: 'user list',
  summary:
    'list the people of the console, with the accounts that they see; none listed: all, for admins and operators',
  input: z.object({}),
  run: (_input, { em }) => listPeople(em).then((people) => people.map((person) => ({ ...person }))),
});
