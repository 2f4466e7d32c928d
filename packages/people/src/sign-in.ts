import { LockMode } from '@mikro-orm/core';
import type { Keys } from '@leadback/secrets';
import { emailKey } from '@leadback/domain';
import { type EntityManager, Person, PersonSession } from '@leadback/db';
import { audit } from './audit.ts';
import { type CodeVerdict, checkCode } from './check-code.ts';
import { isPassword } from './password.ts';
import { type Session, startSession } from './sessions.ts';

export type SignInVerdict =
  | { readonly kind: 'right'; readonly token: string }
  | Exclude<CodeVerdict, { readonly kind: 'right' }>;

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code: string;
}

/**
 * Signs a person in. A wrong email, password and code get the same response. A code counts as wrong only with the right
 * password, so that nobody else can lock a person out.
 */
export const signIn = async (
  em: EntityManager,
  keys: Keys,
  { email, password, code }: Credentials,
): Promise<SignInVerdict> => {
  const known = await em.findOne(Person, { email: emailKey(email), disabledAt: null });
  if (!(await isPassword(known?.passwordHash, password)) || !known) return { kind: 'wrong' };
  em.clear();
  return em.transactional(async (tx): Promise<SignInVerdict> => {
    const person = await tx.findOneOrFail(Person, known.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const verdict = checkCode(keys, person, code);
    if (verdict.kind !== 'right') return verdict;
    await audit(tx, { actor: person.email, action: 'session.start', target: `person ${person.id}` });
    return { kind: 'right', token: startSession(tx, person) };
  });
};

/** Checks the second factor of a session again, and replaces the session by a new one. */
export const stepUp = (em: EntityManager, keys: Keys, session: Session, code: string): Promise<SignInVerdict> =>
  em.transactional(async (tx): Promise<SignInVerdict> => {
    const person = await tx.findOneOrFail(Person, session.person.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const verdict = checkCode(keys, person, code);
    if (verdict.kind !== 'right') return verdict;
    const before = await tx.findOneOrFail(PersonSession, session.id);
    const token = startSession(tx, person);
    tx.remove(before);
    return { kind: 'right', token };
  });
