import { LockMode } from '@mikro-orm/core';
import { type EntityManager, Person, PersonSession } from '@leadback/db';
import { audit } from './audit.ts';
import { hashPassword, isPassword } from './password.ts';
import { refuseGuessable } from './refuse-guessable.ts';
import type { Session } from './sessions.ts';

/** Replaces the password and ends all other sessions. False: the current password is wrong. Refuses one that is easy to guess. */
export const changePassword = async (
  em: EntityManager,
  session: Session,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<boolean> => {
  const { id, email } = session.person;
  const { passwordHash } = await em.findOneOrFail(Person, id);
  if (!(await isPassword(passwordHash, current))) return false;
  await refuseGuessable(password, email);
  const changed = await hashPassword(password);
  em.clear();
  return em.transactional(async (tx) => {
    const person = await tx.findOneOrFail(Person, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // it was changed meanwhile
    if (person.passwordHash !== passwordHash) return false;
    person.passwordHash = changed;
    const ended = await tx.nativeDelete(PersonSession, { person, id: { $ne: session.id } });
    await audit(tx, { actor: email, action: 'password.change', target: `person ${id}`, details: { sessions: ended } });
    return true;
  });
};
