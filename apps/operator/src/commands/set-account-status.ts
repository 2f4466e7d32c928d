import { setAccountStatus } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

export const suspendAccount = command({
  name: 'account suspend',
  summary: 'reject all keys of an account, within 10 s everywhere; its pending deliveries are still sent',
  argument: '<id>',
  options: [
    ['--pages', 'in a case of abuse: nobody sees its landing pages either, within seconds, until it is active again'],
  ],
  input: z.object({ id: idSchema, pages: z.boolean().default(false) }),
  async run({ id, pages }, { em, actor }) {
    const { status, hidesPages } = await setAccountStatus(em, { id, status: 'suspended', hidesPages: pages, actor });
    return { id, status, ...(hidesPages && { pages: 'hidden' }) };
  },
});

export const activateAccount = command({
  name: 'account activate',
  summary: 'accept the keys of an account again, and show its pages if they were hidden',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const { status } = await setAccountStatus(em, { id, status: 'active', actor });
    return { id, status };
  },
});
