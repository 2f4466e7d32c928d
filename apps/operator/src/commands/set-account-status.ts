import { setAccountStatus } from '@leadback/administration';
import type { AccountStatus } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

const statusCommand = (verb: string, status: AccountStatus, summary: string) =>
  command({
    name: `account ${verb}`,
    summary,
    argument: '<id>',
    input: z.object({ id: idSchema }),
    async run({ id }, { em, actor }) {
      await setAccountStatus(em, { id, status, actor });
      return { id, status };
    },
  });

export const suspendAccount = statusCommand(
  'suspend',
  'suspended',
  'reject all keys of an account, within 10 s everywhere; its pending deliveries are still sent',
);

export const activateAccount = statusCommand('activate', 'active', 'accept the keys of an account again');
