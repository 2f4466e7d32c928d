import { allStoredCredentials, type CredentialsOwner, credentialsKeys, encryptingKey } from '@leadback/db';
import type { Check } from './check.ts';
import { type Finding, ok, warn, wrong } from './finding.ts';
import { pluralize, truncateList } from './format.ts';

const check = 'credentials';

/** Whether the apps can open what they send with. */
export const checkCredentials: Check = async ({ em, secretsKeys }) => {
  if (secretsKeys === undefined) {
    return [warn(check, 'not looked at: SECRETS_KEY is not set', 'Run `doctor` with the SECRETS_KEY of the apps.')];
  }
  const keys = credentialsKeys(secretsKeys);
  const found: Record<ReturnType<typeof encryptingKey>, CredentialsOwner[]> = { first: [], another: [], none: [] };
  for await (const stored of allStoredCredentials(em))
    found[encryptingKey(keys, stored, stored.encrypted)].push(stored);
  const findings: Finding[] = [];
  if (found.none.length > 0) {
    const named = truncateList(found.none.map(({ id, accountId }) => `connection ${id} (account ${accountId})`));
    findings.push(
      wrong(
        check,
        `those of ${named} open under no key of SECRETS_KEY`,
        'Nothing of theirs is sent by apps with these keys. Add the key that they were sealed under, everywhere (docs/secrets.md); where it is lost, `connection change` takes their credentials anew.',
      ),
    );
  }
  if (found.another.length > 0) {
    findings.push(
      warn(
        check,
        `those of ${pluralize(found.another.length, 'connection')} are not sealed under the first key of SECRETS_KEY`,
        '`secrets rotate` seals them anew; do not take the other keys away before.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [ok(check, `all ${found.first.length.toLocaleString('en')} open under the first key of SECRETS_KEY`)];
};
