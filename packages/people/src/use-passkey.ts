import { LockMode } from '@mikro-orm/core';
import { type EntityManager, Passkey, Person, PersonSession } from '@leadback/db';
import { audit } from './audit.ts';
import { noteRefused } from './refused.ts';
import { auditStepUp, type Session, startSession } from './sessions.ts';
import type { StepUpVerdict } from './sign-in.ts';

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
  em.transactional(async (tx) => {
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
): Promise<Exclude<StepUpVerdict, { readonly kind: 'locked' | 'used' }>> =>
  em.transactional(async (tx) => {
    const person = await personOf(tx, used);
    if (person?.id !== session.person.id) return { kind: 'wrong' };
    const before = await tx.findOne(PersonSession, session.id);
    if (!before) return { kind: 'signed-out' };
    await auditStepUp(tx, person, 'passkey');
    const token = startSession(tx, person, before.device);
    tx.remove(before);
    return { kind: 'right', token };
  });
