import type { EntityManager, Person } from '@leadback/db';
import { type Acting, actAsAdmin, lockPerson } from './act-as-admin.ts';
import { audit } from './audit.ts';
import { type Access, setAccess } from './set-access.ts';

/** Gives a person another role or other accounts, at once. A new role ends all sessions of the person. */
export const changePerson = (
  em: EntityManager,
  { id, role, accountIds, ...acting }: Acting & Access & { readonly id: number },
): Promise<Person> =>
  em.transactional(async (tx) => {
    await actAsAdmin(tx, acting, id);
    const person = await lockPerson(tx, id);
    const changes = await setAccess(tx, person, { role, accountIds });
    if (Object.keys(changes).length === 0) return person;
    const details = { email: person.email, ...changes };
    await audit(tx, { actor: acting.actor, action: 'user.change', target: `person ${id}`, details });
    return person;
  });
