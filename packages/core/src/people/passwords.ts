import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type EntityManager,
  type Pool,
  Person,
  PersonSession,
  type Queryable,
  statement,
  transaction,
} from '@leadback/db';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { LockMode } from '@mikro-orm/core';
import { ActionRefused } from './access.ts';
import { audit } from '../audit.ts';
import type { Session } from './sessions.ts';

/** What was wrong. */
type RefusedKind =
  | 'password'
  | 'code'
  | 'passkey'
  | 'provider'
  /** A code that would have linked an identity of a provider. */
  | 'link-code'
  /** A provider vouched for the email, and knows the person by another subject. */
  | 'other-identity';

const addRefused = statement(
  `update person set refused_since = coalesce(refused_since, now()),
     refused = refused || jsonb_build_object($2::text, coalesce((refused ->> $2)::int, 0) + 1)
   where id = $1`,
);

/**
 * Counts an attempt to sign in or step up that was refused, in the row of the person. A flood adds no entry to the audit log
 * by itself: `auditRefused` adds one for an hour.
 */
export const noteRefused = async (on: Queryable, personId: number, kind: RefusedKind): Promise<void> => {
  await addRefused(on, [personId, kind]);
};

// one statement for all rows, and so two consoles at the same time add one entry
const end = statement<{ id: number }>(
  `with due as (
     select id, email, refused_since, refused from person
     where refused_since <= now() - interval '1 hour' order by refused_since limit $1 for update skip locked
   ), ended as (
     update person p set refused_since = null, refused = '{}' from due where p.id = due.id
     returning due.id, due.email, due.refused_since, due.refused
   )
   insert into audit_entry (actor, action, target, details)
   select email, 'session.refused', 'person ' || id, jsonb_build_object('since', refused_since, 'refused', refused)
   from ended returning id`,
);

/**
 * Adds to the audit log what was refused, for each person of whom the first refusal is an hour old: at most one entry for a
 * person and hour. At most so many; returns how many.
 */
export const auditRefused = async (pool: Pool, rowsMax: number): Promise<number> => (await end(pool, [rowsMax])).length;

const confirm = statement(
  'update person set guessed_codes = 0, guessed_since = null where id = $1 and guessed_codes = $2',
);

/** The person was told of so many wrong codes with the right password. Changes nothing if there were more meanwhile. */
export const confirmGuessedCodes = async (
  pool: Pool,
  { person }: { readonly person: { readonly id: number } },
  count: number,
): Promise<void> => {
  await confirm(pool, [person.id, count]);
};

// OWASP's minimum for argon2id; some 40 ms on a small machine
const memory = 19_456;
const passes = 2;
const parallelism = 1;
const tagLength = 32;
const saltBytes = 16;

const phcShape =
  /^\$argon2id\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/;

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);
const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
// the same characters, however a keyboard composes them
const messageOf = (password: string) => Buffer.from(password.normalize('NFKC'));

/** Argon2id, in the PHC string format. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(saltBytes);
  const tag = await derive('argon2id', { message: messageOf(password), nonce, memory, passes, parallelism, tagLength });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
};

// of no password: takes as long as the hash of one
const ofNobody = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(Buffer.alloc(saltBytes))}$${base64(Buffer.alloc(tagLength))}`;

/** Takes the same time without a hash, so that callers cannot tell whether a person exists. */
export const isPassword = async (hash: string | null | undefined, password: string): Promise<boolean> => {
  const { m, t, p, salt = '', tag = '' } = phcShape.exec(hash ?? ofNobody)?.groups ?? {};
  const expected = Buffer.from(tag, 'base64');
  const given = await derive('argon2id', {
    message: messageOf(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  });
  return timingSafeEqual(given, expected) && hash != null;
};

// 10^8 guesses: far more than anybody can make who is limited to six a minute, and more than most lists of stolen passwords
const scoreMin = 3;

let estimator: Promise<ZxcvbnFactory> | undefined;

// a megabyte of common passwords, which few processes need
const load = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs: adjacencyGraphs });
};

/** Throws `ActionRefused` for a password that is common, or follows from one, from a pattern or from the person's email. */
export const refuseGuessable = async (password: string, email: string): Promise<void> => {
  estimator ??= load();
  const { score } = (await estimator).check(password, [
    'leadback',
    email,
    ...email.split('@'),
    ...email.split(/[^a-z0-9]+/),
  ]);
  if (score >= scoreMin) return;
  throw new ActionRefused('guessable', 'password: too easy to guess; take some words that nobody would put together');
};

/** `signed-out`: the session was ended elsewhere meanwhile. */
type PasswordVerdict = 'changed' | 'wrong' | 'signed-out';

/** Replaces the password and ends all other sessions. Refuses one that is easy to guess. */
export const changePassword = async (
  em: EntityManager,
  session: Session,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<PasswordVerdict> => {
  const { id, email } = session.person;
  const { passwordHash } = await em.findOneOrFail(Person, id);
  if (!(await isPassword(passwordHash, current))) {
    await noteRefused(em, id, 'password');
    return 'wrong';
  }
  await refuseGuessable(password, email);
  const changed = await hashPassword(password);
  em.clear();
  return transaction(em, async (tx): Promise<PasswordVerdict> => {
    const person = await tx.findOneOrFail(Person, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!(await tx.findOne(PersonSession, session.id))) return 'signed-out';
    // it was changed meanwhile
    if (person.passwordHash !== passwordHash) return 'wrong';
    person.passwordHash = changed;
    const ended = await tx.nativeDelete(PersonSession, { person, id: { $ne: session.id } });
    await audit(tx, { actor: email, action: 'password.change', target: `person ${id}`, details: { sessions: ended } });
    return 'changed';
  });
};
