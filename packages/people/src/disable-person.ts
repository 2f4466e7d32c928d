import { type EntityManager, Invitation, Person, PersonSession } from '@leadback/db';
import { audit } from './audit.ts';

/** Ends all sessions of a person, who cannot sign in any more until invited again. Undefined if there is none. */
export const disablePerson = (em: EntityManager, id: number, actor: string): Promise<Person | undefined> =>
  em.transactional(async (tx) => {
    const person = await tx.findOne(Person, id);
    if (!person) return undefined;
    person.disabledAt ??= new Date();
    await tx.nativeDelete(PersonSession, { person });
    await tx.nativeDelete(Invitation, { person });
    await audit(tx, { actor, action: 'user.disable', target: `person ${id}`, details: { email: person.email } });
    return person;
  });
