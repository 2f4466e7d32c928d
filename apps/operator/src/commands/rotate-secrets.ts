import { type CredentialsOwner, credentialsKeys } from '@leadback/secrets';
import { reEncryptCredentials } from '../upkeep/re-encrypt-credentials.ts';
import { reEncryptSecondFactors, secondFactorKeys } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { requireSetting } from '../require-setting.ts';
import { OperatorError } from '../operator-error.ts';

const named = ({ id, accountId }: CredentialsOwner) => `connection ${id} (account ${accountId})`;

const nextStep = (keys: number) =>
  keys === 1
    ? 'SECRETS_KEY has one key, and all credentials are encrypted with it. A rotation begins with a second key: docs/secrets.md.'
    : 'All credentials are encrypted with the first key of SECRETS_KEY. Remove the other keys when `doctor` reports no credentials of another key and no buffered leads: docs/secrets.md.';

export const rotateSecrets = command({
  name: 'secrets rotate',
  summary:
    're-encrypt all credentials, and the second factors of the console, with the first key of SECRETS_KEY, while everything runs; docs/secrets.md has the steps before and after',
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
        `${resealed} re-encrypted, ${kept} up to date; cannot decrypt ${unopened.map(named).join(', ')}: the key is not in SECRETS_KEY. ` +
          'Restore the key and run `secrets rotate` again, or run `connection change` with all credentials.',
      );
    }
    const people = await reEncryptSecondFactors(em, secondFactorKeys(keys));
    if (people.undecryptable.length > 0) {
      throw new OperatorError(
        `cannot decrypt the second factor of ${people.undecryptable.join(', ')}: the key is not in SECRETS_KEY. ` +
          'Restore the key and run `secrets rotate` again, or run `user invite` for them, which gives them a new one.',
      );
    }
    return { resealed, kept, secondFactors: people.reEncrypted, next: nextStep(keys.length) };
  },
});
