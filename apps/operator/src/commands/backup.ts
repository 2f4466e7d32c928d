import { audit } from '@leadback/core/audit';
import { masterKeysSchema } from '@leadback/domain/keys';
import { z } from 'zod';
import { command } from '../command.ts';
import { fingerprintOf, serverActions } from '../doctor/server.ts';
import { OperatorError } from '../options.ts';
import { secretSources } from '../read-secrets.ts';
import { requireSetting } from '../settings.ts';

export const recordBackup = command({
  name: 'backup record',
  summary:
    'tell Leadback of a backup that was taken or restored, so that `doctor` can warn when they stop. The service `backup` of Docker Compose does it itself',
  options: [
    ['--taken', 'a backup was taken'],
    ['--restored', 'one was restored into an empty database, and looked at'],
    ['--name <name>', 'which one; default: backup'],
  ],
  input: z.object({
    taken: z.boolean().default(false),
    restored: z.boolean().default(false),
    name: z.string().min(1).max(200).default('backup'),
  }),
  async run({ taken, restored, name }, { em, actor }) {
    if (taken === restored) throw new OperatorError('say which: --taken or --restored');
    const action = taken ? serverActions.taken : serverActions.restored;
    await audit(em, { actor, action, target: name });
    return { recorded: action, name };
  },
});

export const confirmSecrets = command({
  name: 'secrets confirm',
  summary:
    'compare your copy of SECRETS_KEY, typed or piped in, with the one in use. `doctor` warns until this was done for the first key',
  input: z.object({}),
  async run(_input, { em, actor, secretsKeys, stdin, stderr }) {
    const used = requireSetting('SECRETS_KEY', secretsKeys);
    const { ask, nextLine } = secretSources({ stdin, stderr });
    const copy = masterKeysSchema.safeParse(await (stdin.isTTY === true ? ask : nextLine)('copy'));
    if (!copy.success) throw new OperatorError('that is not a SECRETS_KEY: it has 32 bytes in base64, 44 characters');
    const fingerprint = fingerprintOf(used);
    if (fingerprintOf(copy.data) !== fingerprint) {
      throw new OperatorError('that is another key than the first of SECRETS_KEY: copy it from .env again');
    }
    await audit(em, { actor, action: serverActions.confirmed, target: 'SECRETS_KEY', details: { fingerprint } });
    return { confirmed: true };
  },
});
