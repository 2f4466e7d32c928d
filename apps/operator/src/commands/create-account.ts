import { createAccount as create } from '@leadback/administration';
import { accountSettingsSchema } from '@leadback/domain';
import { accountOptions, accountRow } from '../account-options.ts';
import { command } from '../command.ts';
import { requireSetting } from '../require-setting.ts';

export const createAccount = command({
  name: 'account create',
  summary: 'create the account of an advertiser',
  options: accountOptions,
  input: accountSettingsSchema,
  run: async (settings, { em, actor, secretsKeys }) =>
    accountRow(await create(em, { ...settings, actor, secretsKeys: requireSetting('SECRETS_KEY', secretsKeys) })),
});
