import { Account, type EntityManager, Membership, type Person, PersonSession } from '@leadback/db';
import { type AccountId, type Role, seesAllAccounts } from '@leadback/domain';
import { ActionRefused } from './action-refused.ts';
import { differences } from './differences.ts';

/** What a person may do, and where. */
export interface Access {
  readonly role: Role;
  /** Empty for roles that see all accounts. */
  readonly accountIds: readonly AccountId[];
}

/** Refuses a role without the accounts that it needs, and accounts that do not exist. Returns the accounts. */
export const checkAccess = async (em: EntityManager, { role, accountIds }: Access): Promise<Account[]> => {
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

const sorted = (ids: readonly number[]): number[] => ids.toSorted((one, other) => one - other);

/**
 * Gives a person, whose row the caller has locked, a role and accounts. A new role ends all sessions of the person; which
 * accounts a person sees is read with each request. Returns what changed, field by field.
 */
export const setAccess = async (
  em: EntityManager,
  person: Person,
  access: Access,
): Promise<Readonly<Record<string, unknown>>> => {
  const accounts = await checkAccess(em, access);
  const held = await em.find(Membership, { person });
  const before = sorted(held.map(({ account }) => account.id));
  const after = sorted(accounts.map(({ id }) => id));
  const { role } = person;
  for (const membership of held) if (!after.includes(membership.account.id)) em.remove(membership);
  for (const account of accounts) if (!before.includes(account.id)) em.create(Membership, { person, account });
  person.role = access.role;
  if (role !== access.role) await em.nativeDelete(PersonSession, { person });
  return differences({ role, accounts: before }, { role: access.role, accounts: after });
};
