import { disablePerson, listPeople, signOutPerson } from '@leadback/core/people/people';
import { invitePerson } from '@leadback/core/people/invitations';
import { listAudit } from '@leadback/core/audit';
import { z } from 'zod';
import { emailAddressSchema, roles } from '@leadback/domain';
import { command } from '../command.ts';
import { idSchema } from '../options.ts';

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

const expectedEmail = 'expected an email address';

export const inviteUser = command({
  name: 'user invite',
  summary:
    'invite a person to the console by a link that works once within 7 days. A known person gets a new role, accounts, password and second factor',
  options: [
    ['--email <email>', 'email of the person'],
    ['--role <role>', roles.join(' or ')],
    ['--account <id...>', 'accounts that a marketer or a partner sees; admins and operators see all'],
  ],
  input: z.object({
    email: emailAddressSchema.pipe(z.string(expectedEmail)),
    role: z.enum(roles, `expected ${roles.join(' or ')}`),
    account: z.array(idSchema).default([]),
  }),
  async run({ email, role, account }, { em, actor, consoleUrl }) {
    const { id, token } = await invitePerson(em, { email, role, accountIds: [...new Set(account)], actor });
    // behind #, so that no log of a server or proxy has it
    return { id, url: new URL(`/invitation#${token}`, consoleUrl).href };
  },
});

export const listUsers = command({
  name: 'user list',
  summary:
    'list the people of the console, with the accounts that they see; none listed: all, for admins and operators',
  brief: ['id', 'email', 'role', 'state', 'accounts'],
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

export const signOutUser = command({
  name: 'user sign-out',
  summary: 'end all sessions of a person of the console, who may sign in again',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    return { id, ...(await signOutPerson(em, { id, actor })) };
  },
});

const limitMax = 10_000;

export const listAuditEntries = command({
  name: 'audit list',
  summary: 'show who did what, newest first: commands of the operator and actions in the console',
  options: [
    ['--account <id>', 'only actions in this account'],
    ['--limit <n>', `the newest n; default 50, at most ${limitMax}`],
  ],
  brief: ['at', 'actor', 'action', 'target'],
  columns: ['at', 'actor', 'action', 'accountId', 'target', 'details'],
  input: z.object({ account: idSchema.optional(), limit: idSchema.pipe(z.number().max(limitMax)).default(50) }),
  async run(input, { pool }) {
    const { items } = await listAudit(pool, { accountId: input.account, limit: input.limit });
    return items.map(({ at, actor, action, accountId, target, details }) => ({
      at,
      actor,
      action,
      accountId,
      target,
      details,
    }));
  },
  shown: (entries) => entries.map(({ details, ...entry }) => ({ ...entry, details: JSON.stringify(details) })),
});
