import { type CredentialsOwner, credentialsKeys, reEncryptCredentials } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';
import { requireSetting } from '../require-setting.ts';
import { OperatorError } from '../operator-error.ts';

const named = ({ id, accountId }: CredentialsOwner) => `connection ${id} (account ${accountId})`;

const nextStep = (keys: number) =>
  keys === 1
    ? 'SECRETS_KEY has one key, and all credentials are sealed under it. A rotation begins with a second key there: docs/secrets.md.'
    : 'All credentials are sealed under the first key of SECRETS_KEY. Once `doctor` finds nothing sealed under another one, and no lead that waits, the others may be taken away: docs/secrets.md.';

export const rotateSecrets = command({
  name: 'secrets rotate',
  summary:
    'seal all credentials anew under the first key of SECRETS_KEY, while everything runs; docs/secrets.md says what comes before and after',
  input: z.object({}),
  async run(_input, { em, secretsKeys, progress }) {
    const keys = requireSetting('SECRETS_KEY', secretsKeys);
    const {
      reEncrypted: resealed,
      kept,
      undecryptable: unopened,
    } = await reEncryptCredentials(em, credentialsKeys(keys), (done) => progress(`${done} connections done`));
    if (unopened.length > 0) {
      throw new OperatorError(
        `${resealed} sealed anew, ${kept} were already; these open under no key of SECRETS_KEY: ${unopened.map(named).join(', ')}. ` +
          'Add the key that they were sealed under, and run this again; where it is lost, `connection change` takes their credentials anew.',
      );
    }
    return { resealed, kept, next: nextStep(keys.length) };
  },
});
