import { allStoredCredentials } from '../upkeep/stored-credentials.ts';
import { connectionKeys, type CredentialsOwner, encryptingKey } from '@leadback/secrets';
import type { Check } from './check.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { pluralize, truncateList } from './format.ts';

const check = 'credentials';

export const checkCredentials: Check = async ({ em, secretsKeys }) => {
  if (secretsKeys === undefined) {
    return [warn(check, 'not checked: SECRETS_KEY is not set', 'Run `doctor` with the SECRETS_KEY of the apps.')];
  }
  const keysOf = connectionKeys(secretsKeys);
  const found: Record<ReturnType<typeof encryptingKey>, CredentialsOwner[]> = { first: [], another: [], none: [] };
  for await (const stored of allStoredCredentials(em))
    found[encryptingKey(keysOf(stored.platform), stored, stored.encrypted)].push(stored);
  const findings: Finding[] = [];
  if (found.none.length > 0) {
    const named = truncateList(found.none.map(({ id, accountId }) => `connection ${id} (account ${accountId})`));
    findings.push(
      fail(
        check,
        `cannot decrypt ${named}: the key is not in SECRETS_KEY`,
        'Apps with these keys send nothing over these connections. Restore the key in every SECRETS_KEY (docs/secrets.md), or run `connection change` with all credentials.',
      ),
    );
  }
  if (found.another.length > 0) {
    findings.push(
      warn(
        check,
        `the credentials of ${pluralize(found.another.length, 'connection')} are not encrypted with the first key of SECRETS_KEY, or, for a webhook, with a key that only platforms' credentials have`,
        'Run `secrets rotate` to re-encrypt them; keep the other keys until then.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [ok(check, `all ${found.first.length.toLocaleString('en')} are encrypted with the first key of SECRETS_KEY`)];
};
