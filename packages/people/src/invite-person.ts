import { Account, type EntityManager, Invitation, Membership, Person } from '@leadback/db';
import { type AccountId, emailKey, type Role, seesAllAccounts } from '@leadback/domain';
import { ActionRefused } from './action-refused.ts';
import { audit } from './audit.ts';
import { hashToken, newToken } from './token.ts';

const validMs = 7 * 24 * 3_600_000;

export interface WantedPerson {
  readonly email: string;
  readonly role: Role;
  readonly accountIds: readonly AccountId[];
  readonly actor: string;
}

const accountsOf = async (em: EntityManager, { role, accountIds }: WantedPerson): Promise<Account[]> => {
  if (seesAllAccounts(role)) {
    if (accountIds.length > 0) throw new ActionRefused('invalid', `${role} sees all accounts; leave --account out`);
    return [];
  }
  if (accountIds.length === 0)
    throw new ActionRefused('invalid', `${role} sees only the accounts that --account names`);
  const accounts = await em.find(Account, { id: { $in: [...accountIds] } });
  const missing = accountIds.find((id) => !accounts.some((account) => account.id === id));
  if (missing !== undefined) throw new ActionRefused('invalid', `there is no account ${missing}`);
  return accounts;
};

/**
 * Invites a person by a link that works once within 7 days. Inviting again replaces the link, the role and the accounts at
 * once; the password and the second factor when the new link is used, so that it also helps who has lost them.
 */
export const invitePerson = (em: EntityManager, wanted: WantedPerson): Promise<{ id: number; token: string }> =>
  em.transactional(async (tx) => {
    const { role, actor } = wanted;
    const email = emailKey(wanted.email);
    const accounts = await accountsOf(tx, wanted);
    const person = (await tx.findOne(Person, { email })) ?? tx.create(Person, { email, role });
    person.role = role;
    person.disabledAt = null;
    await tx.flush();
    await tx.nativeDelete(Membership, { person });
    for (const account of accounts) tx.create(Membership, { person, account });
    await tx.nativeDelete(Invitation, { person });
    const token = newToken();
    tx.create(Invitation, { person, tokenHash: hashToken(token), expiresAt: new Date(Date.now() + validMs) });
    await audit(tx, {
      actor,
      action: 'user.invite',
      target: `person ${person.id}`,
      details: { email, role, accounts: accounts.map(({ id }) => id) },
    });
    return { id: person.id, token };
  });
