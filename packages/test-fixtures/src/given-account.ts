import { Account, ApiKey, type EntityManager } from '@leadback/db';
import { type KeyScope, keyScopes } from '@leadback/domain';
import { accountMasterKeys, apiKeyPrefixLength, hashApiKey, issueApiKey, sealNewAccountKey } from '@leadback/secrets';
import { saved } from './saved.ts';
import { secretsKeys } from './secrets-key.ts';
import { unique } from './unique.ts';

const masterKeys = accountMasterKeys(secretsKeys);

/** The default rate limit never stops a test. */
export const givenAccount = async (
  em: EntityManager,
  { status = 'active', rateLimit = 1_000_000 }: { status?: 'active' | 'suspended'; rateLimit?: number } = {},
): Promise<Account> => {
  const account = await saved(
    em,
    em.create(Account, { name: unique('account'), status, rateLimit, encryptsContacts: true }),
  );
  account.dataKey = sealNewAccountKey(masterKeys, account.id);
  return saved(em, account);
};

export interface OfAccount {
  readonly account?: Account;
}

/** Returns the key in plain text. */
export const givenApiKey = async (
  em: EntityManager,
  {
    account,
    isTest = false,
    scopes = keyScopes,
    expiresAt = null,
    revokedAt = null,
  }: OfAccount & {
    isTest?: boolean;
    scopes?: readonly KeyScope[];
    expiresAt?: Date | null;
    revokedAt?: Date | null;
  } = {},
): Promise<string> => {
  const key = issueApiKey();
  await saved(
    em,
    em.create(ApiKey, {
      account: account ?? (await givenAccount(em)),
      name: 'test',
      keyHash: hashApiKey(key),
      prefix: key.slice(0, apiKeyPrefixLength),
      isTest,
      scopes: [...scopes],
      expiresAt,
      revokedAt,
    }),
  );
  return key;
};
