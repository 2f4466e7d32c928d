import { Account, ApiKey, type EntityManager } from '@leadback/db';
import { apiKeyPrefixLength, hashApiKey, issueApiKey } from '@leadback/domain';
import { saved } from './saved.ts';
import { unique } from './unique.ts';

export const givenAccount = (
  em: EntityManager,
  { status = 'active' }: { status?: 'active' | 'suspended' } = {},
): Promise<Account> => saved(em, em.create(Account, { name: unique('account'), status }));

export interface OfAccount {
  readonly account?: Account;
}

/** Gives the key as a partner holds it. */
export const givenApiKey = async (
  em: EntityManager,
  {
    account,
    expiresAt = null,
    revokedAt = null,
  }: OfAccount & { expiresAt?: Date | null; revokedAt?: Date | null } = {},
): Promise<string> => {
  const key = issueApiKey();
  await saved(
    em,
    em.create(ApiKey, {
      account: account ?? (await givenAccount(em)),
      name: 'test',
      keyHash: hashApiKey(key),
      prefix: key.slice(0, apiKeyPrefixLength),
      expiresAt,
      revokedAt,
    }),
  );
  return key;
};
