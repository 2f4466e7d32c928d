import { type EntityManager, Invitation, Person } from '@leadback/db';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { type Acting, lockPerson } from './act-as-admin.ts';
import { ActionRefused } from './action-refused.ts';
import { audit } from './audit.ts';
import { personEmail } from './person-email.ts';
import { type Access, checkAccess, setAccess } from './set-access.ts';
import { hashToken, newToken } from './token.ts';

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
  em.transactional(async (tx) => {
    const known = await tx.findOne(Person, { email: writtenEmail(wanted.email) });
    return known ? addLink(tx, known.id, wanted.actor, wanted) : addPerson(tx, wanted);
  });

/** As `invitePerson`, but refuses somebody who was invited before. */
export const inviteNewPerson = async (em: EntityManager, wanted: WantedPerson): Promise<IssuedInvitation> => {
  try {
    return await em.transactional((tx) => addPerson(tx, wanted));
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
): Promise<IssuedInvitation> => em.transactional((tx) => addLink(tx, id, actor));
