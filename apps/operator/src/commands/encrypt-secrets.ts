import { accountMasterKeys } from '@leadback/secrets';
import { z } from 'zod';
import { findAccount } from '@leadback/administration';
import { command } from '../command.ts';
import { encryptContacts } from '../encrypt/encrypt-contacts.ts';
import { idSchema } from '../id-schema.ts';
import { requireSetting } from '../require-setting.ts';

export const encryptSecrets = command({
  name: 'secrets encrypt',
  summary:
    'encrypt the contact data of accounts that were created before each account had its own key, while everything runs; first deploy this version of every app: older ones cannot read it. Run it again if it was interrupted',
  options: [['--account <id>', 'only this account']],
  input: z.object({ account: idSchema.optional() }),
  async run({ account: accountId }, { em, pool, secretsKeys, progressBar }) {
    const masterKeys = accountMasterKeys(requireSetting('SECRETS_KEY', secretsKeys));
    if (accountId !== undefined) await findAccount(em, accountId);
    return { ...(await encryptContacts(pool, { masterKeys, accountId, tell: progressBar })) };
  },
});
