import { Account, type EntityManager } from '@leadback/db';
import type { AccountId, AccountSettings } from '@leadback/domain';
import { ActionRefused, audit, differences } from '@leadback/people';
import { LockMode } from '@mikro-orm/core';

type Changes = { readonly [Field in keyof AccountSettings]?: AccountSettings[Field] | undefined };

interface AccountChange extends Changes {
  readonly id: AccountId;
  readonly actor: string;
}

const settingsOf = ({ name, country, rateLimit, gpcReading, erasedPersons, encryptsContacts }: Account) => ({
  name,
  country,
  rateLimit,
  gpc: gpcReading,
  erased: erasedPersons,
  contacts: encryptsContacts ? ('encrypted' as const) : ('plain' as const),
});

/** Changes the given settings of an account; others stay. */
export const changeAccount = (em: EntityManager, { id, actor, ...given }: AccountChange): Promise<Account> =>
  em.transactional(async (tx) => {
    const account = await tx.findOne(Account, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!account) throw new ActionRefused('not-found', `there is no account ${id}`);
    const before = settingsOf(account);
    const {
      name = before.name,
      country = before.country,
      rateLimit = before.rateLimit,
      gpc = before.gpc,
      erased = before.erased,
      contacts = before.contacts,
    } = given;
    if (contacts === 'encrypted' && before.contacts === 'plain' && account.dataKey == null) {
      throw new ActionRefused('conflict', `account ${id} has no key yet; run \`secrets encrypt --account ${id}\``);
    }
    const encryptsContacts = contacts === 'encrypted';
    tx.assign(account, { name, country, rateLimit, gpcReading: gpc, erasedPersons: erased, encryptsContacts });
    const details = differences(before, settingsOf(account));
    if (Object.keys(details).length > 0)
      await audit(tx, { actor, action: 'account.change', accountId: id, target: `account ${id}`, details });
    return account;
  });
