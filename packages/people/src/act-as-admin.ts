import { type EntityManager, Person } from '@leadback/db';
import { LockMode } from '@mikro-orm/core';
import { ActionRefused } from './action-refused.ts';

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
export const actAsAdmin = async (em: EntityManager, { actorId }: Acting, personId: number): Promise<void> => {
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
