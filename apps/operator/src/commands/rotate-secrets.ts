import { accountMasterKeys, connectionKeys, type CredentialsOwner } from '@leadback/secrets';
import { erasureKeys, reEncryptAskedErasures } from '@leadback/erasure/ask';
import { reEncryptAccountKeys } from '../upkeep/re-encrypt-account-keys.ts';
import { reEncryptCredentials } from '../upkeep/re-encrypt-credentials.ts';
import { reEncryptSecondFactors, secondFactorKeys } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { requireSetting } from '../require-setting.ts';
import { OperatorError } from '../operator-error.ts';

const named = ({ id, accountId }: CredentialsOwner) => `connection ${id} (account ${accountId})`;

const nextStep = (keys: number) =>
  keys === 1
    ? 'SECRETS_KEY has one key, and all credentials and account keys are encrypted with it. A rotation begins with a second key: docs/secrets.md.'
    : 'All credentials and account keys are encrypted with the first key of SECRETS_KEY. Remove the other keys when `doctor` reports no credentials and account keys of another key and no buffered leads: docs/secrets.md.';

export const rotateSecrets = command({
  name: 'secrets rotate',
  summary:
    're-encrypt all credentials, the keys of accounts, whom asked erasures are about, and the second factors of the console, with the first key of SECRETS_KEY, while everything runs; docs/secrets.md has the steps before and after',
  input: z.object({}),
  async run(_input, { em, pool, secretsKeys, progress }) {
    const keys = requireSetting('SECRETS_KEY', secretsKeys);
    const {
      reEncrypted: resealed,
      kept,
      undecryptable: unopened,
    } = await reEncryptCredentials(em, connectionKeys(keys), (done) => progress(`${done} connections done`));
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
    const accounts = await reEncryptAccountKeys(pool, accountMasterKeys(keys));
    if (accounts.undecryptable.length > 0) {
      throw new OperatorError(
        `cannot decrypt the key of account ${accounts.undecryptable.join(', ')}: the key is not in SECRETS_KEY. ` +
          'Restore the key and run `secrets rotate` again.',
      );
    }
    return {
      resealed,
      kept,
      secondFactors: people.reEncrypted,
      accountKeys: accounts.reEncrypted,
      askedErasures: await reEncryptAskedErasures(pool, erasureKeys(keys)),
      next: nextStep(keys.length),
    };
  },
});
