import { type EntityManager, Membership, Person } from '@leadback/db';
import type { AccountId, Role } from '@leadback/domain';

export interface ListedPerson {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly state: 'invited' | 'active' | 'disabled';
  /** Empty: all, or none any more. */
  readonly accounts: readonly AccountId[];
  readonly createdAt: Date;
}

const stateOf = ({ disabledAt, passwordHash }: Person): ListedPerson['state'] => {
  if (disabledAt != null) return 'disabled';
  return passwordHash == null ? 'invited' : 'active';
};

export const listPeople = async (em: EntityManager): Promise<ListedPerson[]> => {
  const people = await em.findAll(Person, { orderBy: { id: 'asc' } });
  const memberships = Map.groupBy(await em.findAll(Membership), ({ person }) => person.id);
  return people.map((person) => ({
    id: person.id,
    email: person.email,
    role: person.role,
    state: stateOf(person),
    accounts: (memberships.get(person.id) ?? []).map(({ account }) => account.id),
    createdAt: person.createdAt,
  }));
};
