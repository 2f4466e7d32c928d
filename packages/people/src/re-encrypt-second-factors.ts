import type { Keys } from '@leadback/secrets';
import { type EntityManager, Invitation, Person } from '@leadback/db';
import { LockMode } from '@mikro-orm/core';
import { reEncryptSecondFactor } from './second-factor.ts';

interface Counts {
  readonly reEncrypted: number;
  /** The emails of people whose second factor no key decrypts: they have to be invited again. */
  readonly undecryptable: readonly string[];
}

const none: Counts = { reEncrypted: 0, undecryptable: [] };

/** Of a person or an invitation, whose row the caller has locked. */
const reEncrypt = (keys: Keys, { id, email }: Person, one: Person | Invitation): Counts => {
  const { secondFactor } = one;
  if (secondFactor == null) return none;
  const result = reEncryptSecondFactor(keys, id, secondFactor);
  if (result === undefined) return { ...none, undecryptable: [email] };
  if (result === secondFactor) return none;
  one.secondFactor = result;
  return { ...none, reEncrypted: 1 };
};

const add = (one: Counts, other: Counts): Counts => ({
  reEncrypted: one.reEncrypted + other.reEncrypted,
  undecryptable: [...new Set([...one.undecryptable, ...other.undecryptable])],
});

/** Re-encrypts the second factors of all people with the first of the keys, one person at a time. */
export const reEncryptSecondFactors = async (em: EntityManager, keys: Keys): Promise<Counts> => {
  let total = none;
  for (const { id } of await em.findAll(Person, { orderBy: { id: 'asc' } })) {
    const counted = await em.fork().transactional(async (tx) => {
      const person = await tx.findOneOrFail(Person, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const invitations = await tx.find(Invitation, { person }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      return [person, ...invitations].map((one) => reEncrypt(keys, person, one)).reduce(add, none);
    });
    total = add(total, counted);
  }
  return total;
};
