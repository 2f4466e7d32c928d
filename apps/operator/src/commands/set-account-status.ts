import type { AccountStatus } from '@leadback/domain';
import { audit } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';

const setAccountStatus = (verb: string, status: AccountStatus, summary: string) =>
  command({
    name: `account ${verb}`,
    summary,
    argument: '<id>',
    input: z.object({ id: idSchema }),
    async run({ id }, { em, actor }) {
      await em.transactional(async (tx) => {
        const account = await findAccount(tx, id);
        account.status = status;
        await audit(tx, { actor, action: `account.${verb}`, accountId: id, target: `account ${id}` });
      });
      return { id, status };
    },
  });

export const suspendAccount = setAccountStatus(
  'suspend',
  'suspended',
  'reject all keys of an account, within 10 s everywhere; its pending deliveries are still sent',
);

export const activateAccount = setAccountStatus('activate', 'active', 'accept the keys of an account again');
