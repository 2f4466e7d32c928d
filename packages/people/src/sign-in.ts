import { LockMode } from '@mikro-orm/core';
import type { Keys } from '@leadback/secrets';
import { type EntityManager, Person, PersonIdentity, PersonSession } from '@leadback/db';
import { audit } from './audit.ts';
import { type CodeVerdict, checkCode } from './check-code.ts';
import { isPassword } from './password.ts';
import { personEmail } from './person-email.ts';
import { auditStepUp, type Session, startSession } from './sessions.ts';
import type { ProviderIdentity } from './sign-in-by-provider.ts';

export type SignInVerdict =
  | { readonly kind: 'right'; readonly token: string }
  | Exclude<CodeVerdict, { readonly kind: 'right' }>;

/** `signed-out`: the session was ended elsewhere meanwhile. */
export type StepUpVerdict = SignInVerdict | { readonly kind: 'signed-out' };

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code: string;
  /** Of the browser, for the list of sessions. */
  readonly device?: string | undefined;
}

interface SecondStep {
  readonly personId: number;
  readonly code: string;
  readonly device: string | undefined;
  /** What the first factor was. Default: the password. */
  readonly by?: 'provider';
  /** What a right code also confirms, see `signInByProvider`. */
  readonly link?: ProviderIdentity | undefined;
}

/** Only the wrong code that locks, not what is tried while it lasts. */
const auditLock = async (
  em: EntityManager,
  { id, email: actor }: Person,
  { isNew, until }: Extract<CodeVerdict, { readonly kind: 'locked' }>,
): Promise<void> => {
  if (!isNew) return;
  await audit(em, { actor, action: 'session.locked', target: `person ${id}`, details: { until: until.toISOString() } });
};

/** Signs a person in whose first factor was right. */
export const signInByCode = (
  em: EntityManager,
  keys: Keys,
  { personId, code, device, by, link }: SecondStep,
): Promise<SignInVerdict> =>
  em.transactional(async (tx): Promise<SignInVerdict> => {
    const person = await tx.findOneOrFail(Person, personId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (person.disabledAt != null) return { kind: 'wrong' };
    const verdict = checkCode(keys, person, code);
    if (verdict.kind === 'locked') await auditLock(tx, person, verdict);
    if (verdict.kind !== 'right') return verdict;
    if (link) {
      tx.create(PersonIdentity, { person, ...link });
      await audit(tx, { actor: person.email, action: 'provider.link', target: `person ${person.id}` });
    }
    const details = by === undefined ? {} : { by };
    await audit(tx, { actor: person.email, action: 'session.start', target: `person ${person.id}`, details });
    return { kind: 'right', token: startSession(tx, person, device) };
  });

/**
 * Signs a person in. A wrong email, password and code get the same response. A code counts as wrong only with the right
 * password, so that nobody else can lock a person out.
 */
export const signIn = async (
  em: EntityManager,
  keys: Keys,
  { email, password, code, device }: Credentials,
): Promise<SignInVerdict> => {
  const written = personEmail(email);
  const known = written === undefined ? null : await em.findOne(Person, { email: written, disabledAt: null });
  if (!(await isPassword(known?.passwordHash, password)) || !known) return { kind: 'wrong' };
  em.clear();
  return signInByCode(em, keys, { personId: known.id, code, device });
};

/** Checks the second factor of a session again, and replaces the session by a new one. */
export const stepUp = (em: EntityManager, keys: Keys, session: Session, code: string): Promise<StepUpVerdict> =>
  em.transactional(async (tx): Promise<StepUpVerdict> => {
    const person = await tx.findOneOrFail(Person, session.person.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const verdict = checkCode(keys, person, code);
    if (verdict.kind === 'locked') await auditLock(tx, person, verdict);
    if (verdict.kind !== 'right') return verdict;
    const before = await tx.findOne(PersonSession, session.id);
    if (!before) return { kind: 'signed-out' };
    await auditStepUp(tx, person, 'code');
    const token = startSession(tx, person, before.device);
    tx.remove(before);
    return { kind: 'right', token };
  });
