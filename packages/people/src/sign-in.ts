import { LockMode } from '@mikro-orm/core';
import type { Keys } from '@leadback/secrets';
import { type EntityManager, Person, PersonIdentity, PersonSession } from '@leadback/db';
import { audit } from './audit.ts';
import { type CodeVerdict, checkCode } from './check-code.ts';
import { isPassword } from './password.ts';
import { personEmail } from './person-email.ts';
import { noteRefused } from './refused.ts';
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

/** Counts a code that was refused. Of those that a lock refuses, only the one that locks is in the audit log by itself. */
const noteCode = async (em: EntityManager, { id, email: actor }: Person, verdict: CodeVerdict): Promise<void> => {
  if (verdict.kind === 'right' || verdict.kind === 'used') return;
  await noteRefused(em, id, 'code');
  if (verdict.kind === 'wrong' || !verdict.isNew) return;
  const details = { until: verdict.until.toISOString() };
  await audit(em, { actor, action: 'session.locked', target: `person ${id}`, details });
};

/** A wrong code came with the right password: the person is told of it at the next sign-in. */
const noteGuess = (person: Person, verdict: CodeVerdict): void => {
  if (verdict.kind !== 'wrong' && !(verdict.kind === 'locked' && verdict.isNew)) return;
  person.guessedCodes += 1;
  person.guessedSince ??= new Date();
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
    if (by === undefined) noteGuess(person, verdict);
    await noteCode(tx, person, verdict);
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
 * password, so that nobody else can lock a person out. `onWrongPassword` is told of known people, and must not be waited for:
 * how long the response takes says nothing of whether the person exists.
 */
export const signIn = async (
  em: EntityManager,
  keys: Keys,
  { email, password, code, device }: Credentials,
  onWrongPassword: (personId: number) => void,
): Promise<SignInVerdict> => {
  const written = personEmail(email);
  const known = written === undefined ? null : await em.findOne(Person, { email: written, disabledAt: null });
  const isRight = await isPassword(known?.passwordHash, password);
  if (known && !isRight) onWrongPassword(known.id);
  if (!known || !isRight) return { kind: 'wrong' };
  em.clear();
  return signInByCode(em, keys, { personId: known.id, code, device });
};

/** Checks the second factor of a session again, and replaces the session by a new one. */
export const stepUp = (em: EntityManager, keys: Keys, session: Session, code: string): Promise<StepUpVerdict> =>
  em.transactional(async (tx): Promise<StepUpVerdict> => {
    const person = await tx.findOneOrFail(Person, session.person.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const verdict = checkCode(keys, person, code);
    await noteCode(tx, person, verdict);
    if (verdict.kind !== 'right') return verdict;
    const before = await tx.findOne(PersonSession, session.id);
    if (!before) return { kind: 'signed-out' };
    await auditStepUp(tx, person, 'code');
    const token = startSession(tx, person, before.device);
    tx.remove(before);
    return { kind: 'right', token };
  });
