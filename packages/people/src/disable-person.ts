import { type EntityManager, Invitation, Passkey, type Person, PersonIdentity, PersonSession } from '@leadback/db';
import { type Acting, actAsAdmin, lockPerson } from './act-as-admin.ts';
import { audit } from './audit.ts';

/**
 * Ends all sessions of a person and removes what the person signs in with: the password, the second factor, the passkeys
 * and the identity at a provider are never right again. Somebody who was invited again chooses new ones.
 */
export const disablePerson = (
  em: EntityManager,
  { id, ...acting }: Acting & { readonly id: number },
): Promise<Person> =>
  em.transactional(async (tx) => {
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
