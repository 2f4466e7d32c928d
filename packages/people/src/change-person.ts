import { type EntityManager, Invitation, type Person } from '@leadback/db';
import { type Acting, actAsAdmin, lockPerson } from './act-as-admin.ts';
import { audit } from './audit.ts';
import { type Access, setAccess } from './set-access.ts';
import { endSessionsOf } from './sign-out-person.ts';

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
  em.transactional(async (tx) => {
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
