import { createInterface } from 'node:readline/promises';
import { checkForgettable, findAccount, forgetAccount as forget } from '@leadback/administration';
import { accountMasterKeys } from '@leadback/secrets';
import { z } from 'zod';
import { command, type OperatorContext } from '../command.ts';
import { encryptContacts } from '../encrypt/encrypt-contacts.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';
import { requireSetting } from '../require-setting.ts';

type Streams = Pick<OperatorContext, 'stdin' | 'stderr'>;

const typedName = async (id: number, { stdin, stderr }: Streams): Promise<string> => {
  if (stdin.isTTY !== true) throw new OperatorError('--yes: confirm with the name of the account');
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return await terminal.question(`Contact data of account ${id} become unreadable for ever. Type its name: `);
  } finally {
    terminal.close();
  }
};

export const forgetAccount = command({
  name: 'account forget',
  summary:
    'drop the key of a suspended account, for ever: contact data of its leads and clients become unreadable, in backups too once SECRETS_KEY was rotated and the former key was destroyed',
  argument: '<id>',
  options: [['--yes <name>', 'confirm with the name of the account, instead of typing it']],
  input: z.object({ id: idSchema, yes: z.string().optional() }),
  async run({ id, yes }, { em, pool, actor, secretsKeys, progressBar, stdin, stderr }) {
    const masterKeys = accountMasterKeys(requireSetting('SECRETS_KEY', secretsKeys));
    const { dataKey, encryptsContacts } = await findAccount(em, id);
    const toForget = { id, name: yes ?? (await typedName(id, { stdin, stderr })), actor };
    await checkForgettable(pool, toForget);
    // what is not encrypted would stay readable; an account that was forgotten before has nothing
    if (dataKey != null || !encryptsContacts)
      await encryptContacts(pool, { masterKeys, accountId: id, tell: progressBar });
    await forget(pool, toForget);
    return { id, forgotten: true };
  },
});
