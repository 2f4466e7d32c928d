import { LockMode } from '@mikro-orm/core';
import { type EntityManager, Passkey, Person, type Pool, PersonSession, transaction, statement } from '@leadback/db';
import { ActionRefused } from './access.ts';
import { audit } from '../audit.ts';
import { type Session, auditStepUp, startSession } from './sessions.ts';
import { noteRefused } from './passwords.ts';
import type { SecondFactorVerdict } from './sign-in.ts';

const passkeysMax = 20;

type Owner = Session['person'];

/** The public part of a passkey. */
interface NewPasskey {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
}

/** What the owner sees. */
export type PasskeyFacts = Pick<Passkey, 'id' | 'name' | 'createdAt' | 'usedAt'>;

export const listPasskeys = (em: EntityManager, owner: Owner): Promise<Passkey[]> =>
  em.find(Passkey, { person: owner.id }, { orderBy: { id: 'asc' }, limit: passkeysMax });

const any = statement('select 1 from passkey where person_id = $1 limit 1');

export const hasPasskey = async (pool: Pool, { id }: Owner): Promise<boolean> => (await any(pool, [id])).length === 1;

export const addPasskey = (em: EntityManager, owner: Owner, given: NewPasskey): Promise<Passkey> =>
  transaction(em, async (tx) => {
    // one after the other, so that the count is right
    const person = await tx.findOneOrFail(Person, owner.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if ((await tx.count(Passkey, { person })) >= passkeysMax)
      throw new ActionRefused('conflict', `you have ${passkeysMax} passkeys; remove one that you do not use`);
    const credentialId = Buffer.from(given.credentialId);
    if (await tx.findOne(Passkey, { credentialId }))
      throw new ActionRefused('conflict', 'this passkey was added before');
    const publicKey = Buffer.from(given.publicKey);
    const passkey = tx.create(Passkey, { ...given, person, credentialId, publicKey });
    await tx.flush();
    const { id, name } = passkey;
    await audit(tx, { actor: owner.email, action: 'passkey.add', target: `passkey ${id}`, details: { name } });
    return passkey;
  });

const findOwn = async (tx: EntityManager, owner: Owner, id: number): Promise<Passkey> => {
  const passkey = await tx.findOne(Passkey, { id, person: owner.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!passkey) throw new ActionRefused('not-found', 'you have no such passkey; it may be removed already');
  return passkey;
};

export const renamePasskey = (em: EntityManager, owner: Owner, id: number, name: string): Promise<void> =>
  transaction(em, async (tx) => {
    const passkey = await findOwn(tx, owner, id);
    const details = { name: { before: passkey.name, after: name } };
    passkey.name = name;
    await audit(tx, { actor: owner.email, action: 'passkey.rename', target: `passkey ${id}`, details });
  });

export const removePasskey = (em: EntityManager, owner: Owner, id: number): Promise<void> =>
  transaction(em, async (tx) => {
    const passkey = await findOwn(tx, owner, id);
    tx.remove(passkey);
    const details = { name: passkey.name };
    await audit(tx, { actor: owner.email, action: 'passkey.remove', target: `passkey ${id}`, details });
  });

export interface UsedPasskey {
  readonly credentialId: Uint8Array;
  /** The counter of the signature; undefined if the signature is not that of this passkey. */
  readonly verify: (passkey: Pick<Passkey, 'person' | 'publicKey' | 'counter'>) => Promise<number | undefined>;
}

/** The person of a passkey with a valid signature, locked; undefined for any other, and for disabled people. */
const personOf = async (tx: EntityManager, { credentialId, verify }: UsedPasskey): Promise<Person | undefined> => {
  const known = await tx.findOne(Passkey, { credentialId: Buffer.from(credentialId) });
  if (!known) return undefined;
  const person = await tx.findOneOrFail(Person, known.person.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  // of two uses at the same time, the second one finds the counter of the first
  const passkey = await tx.refresh(known, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!passkey || person.disabledAt != null) return undefined;
  const counter = await verify(passkey);
  if (counter === undefined) {
    await noteRefused(tx, person.id, 'passkey');
    return undefined;
  }
  passkey.counter = counter;
  passkey.usedAt = new Date();
  return person;
};

/** Signs a person in: a passkey has checked who uses it, so it is both factors. Returns the token of the session. */
export const signInByPasskey = (
  em: EntityManager,
  used: UsedPasskey,
  device: string | undefined,
): Promise<string | undefined> =>
  transaction(em, async (tx) => {
    const person = await personOf(tx, used);
    if (!person) return undefined;
    const details = { by: 'passkey' };
    await audit(tx, { actor: person.email, action: 'session.start', target: `person ${person.id}`, details });
    return startSession(tx, person, device);
  });

/** Gives the second factor of a session again, and replaces the session by a new one. */
export const stepUpByPasskey = (
  em: EntityManager,
  session: Session,
  used: UsedPasskey,
): Promise<Exclude<SecondFactorVerdict, { readonly kind: 'locked' | 'used' }>> =>
  transaction(em, async (tx) => {
    const person = await personOf(tx, used);
    const before = await tx.findOne(PersonSession, session.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!before) return { kind: 'signed-out' };
    if (person?.id !== session.person.id) return { kind: 'wrong' };
    await auditStepUp(tx, person, 'passkey');
    const token = startSession(tx, person, before.device);
    tx.remove(before);
    return { kind: 'right', token };
  });
