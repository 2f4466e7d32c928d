import { LockMode } from '@mikro-orm/core';
import type { Keys } from '@leadback/secrets';
import {
  Account,
  type EntityManager,
  Invitation,
  Membership,
  Passkey,
  PersonIdentity,
  PersonSession,
} from '@leadback/db';
import type { Role } from '@leadback/domain';
import { lockPerson } from './act-as-admin.ts';
import { audit } from './audit.ts';
import { hashPassword } from './password.ts';
import { refuseGuessable } from './refuse-guessable.ts';
import { type NewSecondFactor, newSecondFactor, stepOfCode } from './second-factor.ts';
import { startSession } from './sessions.ts';
import { setAccess } from './set-access.ts';
import { hashToken } from './token.ts';

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

export type AcceptVerdict =
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
  em.transactional(async (tx): Promise<AcceptVerdict> => {
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
