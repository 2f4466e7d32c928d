import { emailAddressSchema, roles } from '@leadback/domain';
import { invitePerson } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

const expectedEmail = 'expected an email address';

export const inviteUser = command({
  name: 'user invite',
  summary:
    'invite a person to the console by a link that works once within 7 days; again, it replaces role, accounts, password and second factor once it is accepted',
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
