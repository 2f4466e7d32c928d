import { listPeople } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';

export const listUsers = command({
  name: 'user list',
  summary:
    'list the people of the console, with the accounts that they see; none listed: all, for admins and operators',
  columns: ['id', 'email', 'role', 'state', 'accounts', 'createdAt'],
  input: z.object({}),
  async run(_input, { em }) {
    const people = await listPeople(em);
    return people.map(({ id, email, role, state, accounts, createdAt }) => ({
      id,
      email,
      role,
      state,
      accounts: accounts.map((account) => account.id).toSorted((one, other) => one - other),
      createdAt,
    }));
  },
});
