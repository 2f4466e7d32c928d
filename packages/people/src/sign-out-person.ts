import { type EntityManager, type Person, PersonSession } from '@leadback/db';
import { type Acting, lockPerson } from './act-as-admin.ts';
import { audit } from './audit.ts';

/** Ends all sessions of a person whose row the caller has locked. Returns how many. */
export const endSessionsOf = async (em: EntityManager, person: Person, actor: string): Promise<number> => {
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
  em.transactional(async (tx) => {
    const person = await lockPerson(tx, id);
    return { email: person.email, ended: await endSessionsOf(tx, person, actor) };
  });
