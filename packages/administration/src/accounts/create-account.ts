import { Account, type EntityManager } from '@leadback/db';
import type { AccountSettings } from '@leadback/domain';
import { audit } from '@leadback/people';
import { accountMasterKeys, sealNewAccountKey, type SecretsKeys } from '@leadback/secrets';

interface Creation extends AccountSettings {
  readonly actor: string;
  /** Encrypt the account's own key. */
  readonly secretsKeys: SecretsKeys;
}

/** Creates an account with a key of its own. What is not given has a default. */
export const createAccount = (
  em: EntityManager,
  {
    name,
    country = 'AR',
    rateLimit = 200,
    gpc = 'respect',
    erased = 'allow',
    contacts = 'encrypted',
    actor,
    secretsKeys,
  }: Creation,
): Promise<Account> =>
  em.transactional(async (tx) => {
    const account = tx.create(Account, {
      name,
      country,
      rateLimit,
      gpcReading: gpc,
      erasedPersons: erased,
      encryptsContacts: contacts === 'encrypted',
    });
    await tx.flush();
    account.dataKey = sealNewAccountKey(accountMasterKeys(secretsKeys), account.id);
    const details = { name, country, rateLimit, gpc, erased, contacts };
    await audit(tx, {
      actor,
      action: 'account.create',
      accountId: account.id,
      target: `account ${account.id}`,
      details,
    });
    return account;
  });
