import { Account, ApiKey, type EntityManager } from '@leadback/db';
import { apiKeyPrefixLength, hashApiKey, issueApiKey } from '@leadback/secrets';
import { saved } from './saved.ts';
import { unique } from './unique.ts';

/** The default rate limit never stops a test. */
export const givenAccount = (
  em: EntityManager,
  { status = 'active', rateLimit = 1_000_000 }: { status?: 'active' | 'suspended'; rateLimit?: number } = {},
): Promise<Account> => saved(em, em.create(Account, { name: unique('account'), status, rateLimit }));

export interface OfAccount {
  readonly account?: Account;
}

/** Returns the key in plain text. */
export const givenApiKey = async (
  em: EntityManager,
  {
    account,
    isTest = false,
    expiresAt = null,
    revokedAt = null,
  }: OfAccount & { isTest?: boolean; expiresAt?: Date | null; revokedAt?: Date | null } = {},
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
      expiresAt,
      revokedAt,
    }),
  );
  return key;
};
