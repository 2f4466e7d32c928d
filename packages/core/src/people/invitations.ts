import {
  type EntityManager,
  Invitation,
  Person,
  Account,
  Membership,
  Passkey,
  PersonIdentity,
  PersonSession,
  transaction,
} from '@leadback/db';
import { UniqueConstraintViolationException, LockMode } from '@mikro-orm/core';
import type { Keys } from '@leadback/domain/keys';
import type { Role } from '@leadback/domain';
import { type Acting, lockPerson, type Access, checkAccess, setAccess, personEmail } from './people.ts';
import { ActionRefused } from './access.ts';
import { audit } from '../audit.ts';
import { hashToken, newToken, startSession } from './sessions.ts';
import { hashPassword, refuseGuessable } from './passwords.ts';
import { type NewSecondFactor, newSecondFactor, stepOfCode } from './sign-in.ts';

const validMs = 7 * 24 * 3_600_000;

export interface IssuedInvitation {
  readonly id: number;
  readonly email: string;
  /** For the link. It is not stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

const newInvitation = (em: EntityManager, person: Person, access: Access | null): IssuedInvitation => {
  const token = newToken();
  const expiresAt = new Date(Date.now() + validMs);
  em.create(Invitation, { person, tokenHash: hashToken(token), access, expiresAt });
  return { id: person.id, email: person.email, token, expiresAt };
};

type WantedPerson = Access & Pick<Acting, 'actor'> & { readonly email: string };

const writtenEmail = (email: string): string => {
  const written = personEmail(email);
  if (written === undefined)
    throw new ActionRefused('invalid', 'email: expected ASCII characters alone, without blanks');
  return written;
};

const addPerson = async (em: EntityManager, { email, role, accountIds, actor }: WantedPerson) => {
  const person = em.create(Person, { email: writtenEmail(email), role });
  await em.flush();
  await setAccess(em, person, { role, accountIds });
  const details = { email: person.email, role, accounts: accountIds };
  await audit(em, { actor, action: 'user.invite', target: `person ${person.id}`, details });
  return newInvitation(em, person, null);
};

/** A new link for a person. `access`: the role and the accounts once it is accepted; undefined: as the link before. */
const addLink = async (em: EntityManager, id: number, actor: string, access?: Access) => {
  const person = await lockPerson(em, id);
  if (access) await checkAccess(em, access);
  const earlier = await em.findOne(Invitation, { person, usedAt: null });
  const { role, accountIds } = access ?? earlier?.access ?? {};
  const given = role === undefined || accountIds === undefined ? null : { role, accountIds };
  await em.nativeDelete(Invitation, { person });
  const details = { email: person.email, ...(given && { role: given.role, accounts: given.accountIds }) };
  await audit(em, { actor, action: 'user.invite', target: `person ${id}`, details });
  return newInvitation(em, person, given);
};

/**
 * Invites a person by a link that works once within 7 days. Inviting again replaces the link, and changes nothing else until
 * the new link is used: then it gives the role and the accounts, a password and a second factor, so that it also helps who
 * has lost them, and enables who was disabled.
 */
export const invitePerson = (em: EntityManager, wanted: WantedPerson): Promise<IssuedInvitation> =>
  transaction(em, async (tx) => {
    const known = await tx.findOne(Person, { email: writtenEmail(wanted.email) });
    return known ? addLink(tx, known.id, wanted.actor, wanted) : addPerson(tx, wanted);
  });

/** As `invitePerson`, but refuses somebody who was invited before. */
export const inviteNewPerson = async (em: EntityManager, wanted: WantedPerson): Promise<IssuedInvitation> => {
  try {
    return await transaction(em, (tx) => addPerson(tx, wanted));
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new ActionRefused(
      'conflict',
      `${writtenEmail(wanted.email)} was invited before; find the person in the list`,
    );
  }
};

/** Replaces the link of a person, whose role and accounts stay. Once it is used, it enables a disabled one. */
export const inviteAgain = (
  em: EntityManager,
  { id, actor }: Pick<Acting, 'actor'> & { readonly id: number },
): Promise<IssuedInvitation> => transaction(em, (tx) => addLink(tx, id, actor));

const wrongCodesMax = 20;

/** Undefined if the link is unknown, used, replaced or too old. */
const openInvitation = async (em: EntityManager, token: string) =>
  (await em.findOne(
    Invitation,
    { tokenHash: hashToken(token), usedAt: null, expiresAt: { $gt: new Date() }, wrongCodes: { $lt: wrongCodesMax } },
    { populate: ['person'] },
  )) ?? undefined;

/** What an invitation link shows; undefined if it is not valid any more. */
export const readInvitation = async (
  em: EntityManager,
  token: string,
): Promise<{ email: string; role: Role; accounts: string[]; expiresAt: Date } | undefined> => {
  const invitation = await openInvitation(em, token);
  if (!invitation) return undefined;
  const { person, access, expiresAt } = invitation;
  const accounts = access
    ? await em.find(Account, { id: { $in: [...access.accountIds] } })
    : (await em.find(Membership, { person }, { populate: ['account'] })).map(({ account }) => account.$);
  const names = accounts.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other));
  return { email: person.$.email, role: access?.role ?? person.$.role, accounts: names, expiresAt };
};

/**
 * Keeps the chosen password and makes a second factor; both count when a code shows that it works. Refuses a password that is
 * easy to guess.
 */
export const choosePassword = async (
  em: EntityManager,
  keys: Keys,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<NewSecondFactor | undefined> => {
  const invitation = await openInvitation(em, token);
  if (!invitation) return undefined;
  await refuseGuessable(password, invitation.person.$.email);
  const secondFactor = newSecondFactor(keys, invitation.person.$);
  invitation.passwordHash = await hashPassword(password);
  invitation.secondFactor = secondFactor.encrypted;
  await em.flush();
  return secondFactor;
};

type AcceptVerdict =
  | { readonly kind: 'right'; readonly token: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'invalid' };

/**
 * Accepts an invitation by a code of the new second factor: gives the role and the accounts that it names, ends earlier
 * sessions of the person, removes the passkeys and the identity at a provider, enables who was disabled, and starts a session.
 */
export const acceptInvitation = (
  em: EntityManager,
  keys: Keys,
  { token, code, device }: { readonly token: string; readonly code: string; readonly device?: string | undefined },
): Promise<AcceptVerdict> =>
  transaction(em, async (tx): Promise<AcceptVerdict> => {
    const found = await openInvitation(tx, token);
    if (!found) return { kind: 'invalid' };
    // the person first, as everything that locks both
    const person = await lockPerson(tx, found.person.id);
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    // of two requests with the same link, the second one finds it used
    const invitation = await tx.findOne(Invitation, { id: found.id, usedAt: null }, locked);
    const { passwordHash, secondFactor } = invitation ?? {};
    if (!invitation || passwordHash == null || secondFactor == null) return { kind: 'invalid' };
    const step = stepOfCode(keys, person.id, { encrypted: secondFactor, code });
    if (step === undefined) {
      invitation.wrongCodes += 1;
      return { kind: 'wrong' };
    }
    Object.assign(person, {
      passwordHash,
      secondFactor,
      codeStep: step,
      wrongCodes: 0,
      lockedUntil: null,
      wrongLinkCodes: 0,
      linkLockedUntil: null,
      disabledAt: null,
    });
    const changes = invitation.access ? await setAccess(tx, person, invitation.access) : {};
    Object.assign(invitation, { usedAt: new Date(), passwordHash: null, secondFactor: null });
    await tx.nativeDelete(PersonSession, { person });
    await tx.nativeDelete(Passkey, { person });
    await tx.nativeDelete(PersonIdentity, { person });
    await audit(tx, { actor: person.email, action: 'user.accept', target: `person ${person.id}`, details: changes });
    return { kind: 'right', token: startSession(tx, person, device) };
  });
