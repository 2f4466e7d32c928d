import type { AccountStatus } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '../find-account.ts';
import { idSchema } from '../id-schema.ts';

const setAccountStatus = (verb: string, status: AccountStatus, summary: string) =>
  command({
    name: `account ${verb}`,
    summary,
    argument: '<id>',
    input: z.object({ id: idSchema }),
    async run({ id }, { em }) {
      const account = await findAccount(em, id);
      account.status = status;
      await em.flush();
      return { id, status };
    },
  });

export const suspendAccount = setAccountStatus(
  'suspend',
  'suspended',
  'let no key of an account pass, within 10 s everywhere; its feedback still goes out',
);

export const activateAccount = setAccountStatus('activate', 'active', 'let the keys of an account pass again');
