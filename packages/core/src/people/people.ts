import {
  type EntityManager,
  Person,
  Account,
  Membership,
  PersonSession,
  Invitation,
  Passkey,
  PersonIdentity,
  transaction,
} from '@leadback/db';
import { LockMode } from '@mikro-orm/core';
import { type AccountId, type Role, seesAllAccounts } from '@leadback/domain';
import { ActionRefused } from './access.ts';
import { audit } from '../audit.ts';

/** Who acts on a person. */
export interface Acting {
  /** For the audit log. */
  readonly actor: string;
  /** Undefined: the command line, which may do everything, also after a mistake. */
  readonly actorId?: number | undefined;
}

/**
 * Refuses people who would withdraw their own access. Locks all admins: of two who withdraw each other's access at the
 * same time, the second is no longer an admin, so that one always stays.
 */
const actAsAdmin = async (em: EntityManager, { actorId }: Acting, personId: number): Promise<void> => {
  if (actorId === undefined) return;
  if (actorId === personId)
    throw new ActionRefused('conflict', 'you cannot withdraw your own access; ask another admin');
  const admins = await em.find(
    Person,
    { role: 'admin', disabledAt: null },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!admins.some(({ id }) => id === actorId)) throw new ActionRefused('conflict', 'you are no longer an admin');
};

/** Returns the person, whose row is locked until the transaction ends. */
export const lockPerson = async (em: EntityManager, id: number): Promise<Person> => {
  const person = await em.findOne(Person, id, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!person) throw new ActionRefused('not-found', `there is no user ${id}`);
  return person;
};

/** What changed, field by field, as the audit log keeps it. Compares the JSON of each value. */
export const differences = <Fields extends Readonly<Record<string, unknown>>>(
  before: Fields,
  after: Fields,
): Record<string, { readonly before: unknown; readonly after: unknown }> =>
  Object.fromEntries(
    Object.keys(after)
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, { before: before[field], after: after[field] }]),
  );

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

/** Ends all sessions of a person whose row the caller has locked. Returns how many. */
const endSessionsOf = async (em: EntityManager, person: Person, actor: string): Promise<number> => {
  const ended = await em.nativeDelete(PersonSession, { person });
  const details = { email: person.email, ended };
  await audit(em, { actor, action: 'user.sign-out', target: `person ${person.id}`, details });
  return ended;
};

/** Signs a person out everywhere. The person may sign in again. */
export const signOutPerson = (
  em: EntityManager,
  { id, actor }: Pick<Acting, 'actor'> & { readonly id: number },
): Promise<{ readonly email: string; readonly ended: number }> =>
  transaction(em, async (tx) => {
    const person = await lockPerson(tx, id);
    return { email: person.email, ended: await endSessionsOf(tx, person, actor) };
  });

interface ChangedAccess extends Acting, Access {
  readonly id: number;
  /** Ends all sessions of the person, which a new role does in any case. */
  readonly signsOut?: boolean | undefined;
}

/** Gives a person another role or other accounts, at once; an invitation that is open no longer gives others. */
export const changePerson = (
  em: EntityManager,
  { id, role, accountIds, signsOut = false, ...acting }: ChangedAccess,
): Promise<Person> =>
  transaction(em, async (tx) => {
    await actAsAdmin(tx, acting, id);
    const person = await lockPerson(tx, id);
    const changes = await setAccess(tx, person, { role, accountIds });
    await tx.nativeUpdate(Invitation, { person }, { access: null });
    if (signsOut) await endSessionsOf(tx, person, acting.actor);
    if (Object.keys(changes).length === 0) return person;
    const details = { email: person.email, ...changes };
    await audit(tx, { actor: acting.actor, action: 'user.change', target: `person ${id}`, details });
    return person;
  });

/**
 * Ends all sessions of a person and removes what the person signs in with: the password, the second factor, the passkeys
 * and the identity at a provider are never right again. Somebody who was invited again chooses new ones.
 */
export const disablePerson = (
  em: EntityManager,
  { id, ...acting }: Acting & { readonly id: number },
): Promise<Person> =>
  transaction(em, async (tx) => {
    await actAsAdmin(tx, acting, id);
    const person = await lockPerson(tx, id);
    await tx.nativeDelete(PersonSession, { person });
    await tx.nativeDelete(Invitation, { person });
    await tx.nativeDelete(Passkey, { person });
    await tx.nativeDelete(PersonIdentity, { person });
    person.passwordHash = null;
    person.secondFactor = null;
    if (person.disabledAt != null) return person;
    person.disabledAt = new Date();
    const { actor } = acting;
    await audit(tx, { actor, action: 'user.disable', target: `person ${id}`, details: { email: person.email } });
    return person;
  });

export interface ListedPerson {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly state: 'invited' | 'active' | 'disabled';
  /** Empty: all, or none any more. */
  readonly accounts: readonly { readonly id: AccountId; readonly name: string }[];
  readonly hasSecondFactor: boolean;
  /** When the link that was not used yet expires; null: there is none. */
  readonly invitedUntil: Date | null;
  /** Of the last request, to a minute; null: never signed in. */
  readonly seenAt: Date | null;
  readonly createdAt: Date;
}

const stateOf = ({ disabledAt, passwordHash }: Person): ListedPerson['state'] => {
  if (disabledAt != null) return 'disabled';
  return passwordHash == null ? 'invited' : 'active';
};

interface Wanted {
  /** A part of the email. */
  readonly find?: string | undefined;
  /** Default: all. */
  readonly limit?: number;
}

const pattern = (part: string) => `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The people of the console, those that were invited first, first. */
export const listPeople = async (em: EntityManager, { find, limit }: Wanted = {}): Promise<ListedPerson[]> => {
  const people = await em.find(Person, find === undefined ? {} : { email: { $like: pattern(find.toLowerCase()) } }, {
    orderBy: { id: 'asc' },
    ...(limit !== undefined && { limit }),
  });
  const person = { $in: people.map(({ id }) => id) };
  const all = await em.find(Membership, { person }, { populate: ['account'] });
  const memberships = Map.groupBy(all, (membership) => membership.person.id);
  const open = await em.find(Invitation, { person, usedAt: null });
  const invitations = new Map(open.map((invitation) => [invitation.person.id, invitation.expiresAt]));
  return people.map((one) => ({
    id: one.id,
    email: one.email,
    role: one.role,
    state: stateOf(one),
    accounts: (memberships.get(one.id) ?? [])
      .map(({ account: { $: account } }) => ({ id: account.id, name: account.name }))
      .toSorted((first, second) => first.name.localeCompare(second.name)),
    hasSecondFactor: one.secondFactor != null,
    invitedUntil: invitations.get(one.id) ?? null,
    seenAt: one.seenAt ?? null,
    createdAt: one.createdAt,
  }));
};

/**
 * The email of a person of the console as it is stored and compared: printable ASCII alone, by code point, in lower case.
 * Undefined for any other text. Unicode has letters that fold to those of another person (U+212A, the Kelvin sign, to k),
 * which is right for finding a client, and wrong for who may sign in.
 */
export const personEmail = (text: string): string | undefined => {
  const trimmed = text.replaceAll(/^[ \t]+|[ \t]+$/g, '');
  return /^[\x21-\x7e]+$/.test(trimmed) ? trimmed.toLowerCase() : undefined;
};
