import { Account, type EntityManager } from '@leadback/db';
import type { AccountSettings } from '@leadback/domain';
import { audit } from '@leadback/people';

/** Creates an account. What is not given has a default. */
export const createAccount = (
  em: EntityManager,
  {
    name,
    country = 'AR',
    rateLimit = 200,
    gpc = 'respect',
    erased = 'allow',
    actor,
  }: AccountSettings & { readonly actor: string },
): Promise<Account> =>
  em.transactional(async (tx) => {
    const account = tx.create(Account, { name, country, rateLimit, gpcReading: gpc, erasedPersons: erased });
    await tx.flush();
    const details = { name, country, rateLimit, gpc, erased };
    await audit(tx, {
      actor,
      action: 'account.create',
      accountId: account.id,
      target: `account ${account.id}`,
      details,
    });
    return account;
  });
