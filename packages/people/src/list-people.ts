import { type EntityManager, Invitation, Membership, Person } from '@leadback/db';
import type { AccountId, Role } from '@leadback/domain';

export interface ListedPerson {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly state: 'invited' | 'active' | 'disabled';
  /** Empty: all, or none any more. */
  readonly accounts: readonly { readonly id: AccountId; readonly name: string }[];
  readonly hasSecondFactor: boolean;
  /** When the link that was not used yet expires; null: there is none. */
  readonly invitedUntil: Date | null;
  /** Of the last request, to a minute; null: never signed in. */
  readonly seenAt: Date | null;
  readonly createdAt: Date;
}

const stateOf = ({ disabledAt, passwordHash }: Person): ListedPerson['state'] => {
  if (disabledAt != null) return 'disabled';
  return passwordHash == null ? 'invited' : 'active';
};

interface Wanted {
  /** A part of the email. */
  readonly find?: string | undefined;
  /** Default: all. */
  readonly limit?: number;
}

const pattern = (part: string) => `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The people of the console, those that were invited first, first. */
export const listPeople = async (em: EntityManager, { find, limit }: Wanted = {}): Promise<ListedPerson[]> => {
  const people = await em.find(Person, find === undefined ? {} : { email: { $like: pattern(find.toLowerCase()) } }, {
    orderBy: { id: 'asc' },
    ...(limit !== undefined && { limit }),
  });
  const person = { $in: people.map(({ id }) => id) };
  const all = await em.find(Membership, { person }, { populate: ['account'] });
  const memberships = Map.groupBy(all, (membership) => membership.person.id);
  const open = await em.find(Invitation, { person, usedAt: null });
  const invitations = new Map(open.map((invitation) => [invitation.person.id, invitation.expiresAt]));
  return people.map((one) => ({
    id: one.id,
    email: one.email,
    role: one.role,
    state: stateOf(one),
    accounts: (memberships.get(one.id) ?? [])
      .map(({ account: { $: account } }) => ({ id: account.id, name: account.name }))
      .toSorted((first, second) => first.name.localeCompare(second.name)),
    hasSecondFactor: one.secondFactor != null,
    invitedUntil: invitations.get(one.id) ?? null,
    seenAt: one.seenAt ?? null,
    createdAt: one.createdAt,
  }));
};
