import { accountMasterKeys, reEncryptAccountKey } from '@leadback/secrets';
import { preparedStatement } from '@leadback/db';
import { allAccountKeys } from '../upkeep/stored-account-keys.ts';
import type { Check } from './check.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { pluralize, truncateList } from './format.ts';

const check = 'account keys';

const plainAccounts = preparedStatement<{ id: number }>(
  'find-accounts-that-do-not-encrypt',
  'select id from account where not encrypts_contacts order by id',
);

export const checkAccountKeys: Check = async ({ pool, secretsKeys }) => {
  if (secretsKeys === undefined) {
    return [warn(check, 'not checked: SECRETS_KEY is not set', 'Run `doctor` with the SECRETS_KEY of the apps.')];
  }
  const keys = accountMasterKeys(secretsKeys);
  const undecryptable: string[] = [];
  const counts = { first: 0, another: 0 };
  for await (const { id, encrypted } of allAccountKeys(pool)) {
    const reEncrypted = reEncryptAccountKey(keys, id, encrypted);
    if (reEncrypted === undefined) undecryptable.push(`account ${id}`);
    else counts[reEncrypted === encrypted ? 'first' : 'another'] += 1;
  }
  const findings: Finding[] = [];
  if (undecryptable.length > 0) {
    findings.push(
      fail(
        check,
        `cannot decrypt the key of ${truncateList(undecryptable)}: the key is not in SECRETS_KEY`,
        'Apps with these keys cannot read encrypted contact data of these accounts. Restore the key in every SECRETS_KEY (docs/secrets.md).',
      ),
    );
  }
  if (counts.another > 0) {
    findings.push(
      warn(
        check,
        `the keys of ${pluralize(counts.another, 'account')} are not encrypted with the first key of SECRETS_KEY`,
        'Run `secrets rotate` to re-encrypt them; keep the other keys until then.',
      ),
    );
  }
  const plain = await plainAccounts(pool, []);
  if (plain.length > 0) {
    findings.push(
      warn(
        check,
        `contact data of ${truncateList(plain.map(({ id }) => `account ${id}`))} is not encrypted`,
        'Deploy this version of every app, then run `secrets encrypt` (docs/secrets.md). Ignore this if you chose `--contacts plain`.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [ok(check, `all ${counts.first.toLocaleString('en')} are encrypted with the first key of SECRETS_KEY`)];
};
