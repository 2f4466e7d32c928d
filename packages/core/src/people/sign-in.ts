import { decrypt, keysFor, encrypt, type Keys, type SecretsKeys } from '@leadback/domain/keys';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import {
  Person,
  type EntityManager,
  PersonIdentity,
  PersonSession,
  Invitation,
  type Pool,
  transaction,
  statement,
} from '@leadback/db';
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { audit } from '../audit.ts';
import { personEmail } from './people.ts';
import { noteRefused, isPassword } from './passwords.ts';
import { startSession, auditStepUp, type Session, hashToken, newToken } from './sessions.ts';

const periodSeconds = 30;
// as RFC 6238 advises: a clock may be one step off
const stepsOff = 1;
const secretBytes = 20;

export const secondFactorKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'second factor');

const ofPerson = (personId: number) => `person ${personId}`;

const totpOf = (secret: Secret, email = '') =>
  new TOTP({ issuer: 'Leadback', label: email, secret, digits: 6, period: periodSeconds, algorithm: 'SHA1' });

/** What an authenticator app needs. */
export interface NewSecondFactor {
  /** In base32. */
  readonly secret: string;
  readonly url: string;
  readonly encrypted: Buffer;
}

export const newSecondFactor = (
  keys: Keys,
  person: { readonly id: number; readonly email: string },
): NewSecondFactor => {
  const secret = new Secret({ size: secretBytes });
  const url = totpOf(secret, person.email).toString();
  return { secret: secret.base32, url, encrypted: encrypt(keys, ofPerson(person.id), secret.base32) };
};

const decrypted = (keys: Keys, personId: number, encrypted: Uint8Array): unknown => {
  try {
    return decrypt(keys, ofPerson(personId), Buffer.from(encrypted));
  } catch {
    return undefined;
  }
};

/** Encrypted with the first key: the same if it was before. Undefined if no key decrypts it. */
const reEncryptSecondFactor = (keys: Keys, personId: number, encrypted: Uint8Array): Uint8Array | undefined => {
  const [first] = keys;
  if (decrypted([first], personId, encrypted) !== undefined) return encrypted;
  const secret = decrypted(keys, personId, encrypted);
  return secret === undefined ? undefined : encrypt(keys, ofPerson(personId), secret);
};

/** The time step of a code that is right now; undefined for any other. */
export const stepOfCode = (
  keys: Keys,
  personId: number,
  {
    encrypted,
    code,
    nowMs = Date.now(),
  }: { readonly encrypted: Uint8Array; readonly code: string; readonly nowMs?: number },
): number | undefined => {
  const secret = Secret.fromBase32(z.string().parse(decrypt(keys, ofPerson(personId), Buffer.from(encrypted))));
  const off = totpOf(secret).validate({ token: code, timestamp: nowMs, window: stepsOff });
  return off === null ? undefined : Math.floor(nowMs / 1000 / periodSeconds) + off;
};

const wrongCodesMax = 5;
const lockedMs = 15 * 60_000;

type CodeVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  /** Accepted before. */
  | { readonly kind: 'used' }
  /** `isNew`: by this code. */
  | { readonly kind: 'locked'; readonly until: Date; readonly isNew: boolean };

interface CodeUse {
  /** Whether a right code links an identity of a provider to the person. */
  readonly isLink: boolean;
}

/** Until when no code of the person is right; undefined: codes are checked. */
const lockOf = ({ lockedUntil, linkLockedUntil }: Person, { isLink }: CodeUse, now = new Date()): Date | undefined =>
  [lockedUntil, isLink ? linkLockedUntil : null].find((until) => until != null && until > now) ?? undefined;

/**
 * Checks a code of the second factor, and notes the outcome in the person, whose row the caller has locked. After five wrong
 * codes no code is right for 15 minutes. A code is accepted once; to send it again, as a double click does, is not wrong.
 * Codes for a link are counted and locked apart: whom a provider gave the person's email knows no password, and must not lock
 * the person out.
 */
const checkCode = (keys: Keys, person: Person, code: string, use: CodeUse = { isLink: false }): CodeVerdict => {
  const { id, secondFactor } = person;
  const locked = lockOf(person, use);
  if (locked) return { kind: 'locked', until: locked, isNew: false };
  const [count, lock] = use.isLink
    ? (['wrongLinkCodes', 'linkLockedUntil'] as const)
    : (['wrongCodes', 'lockedUntil'] as const);
  const step = secondFactor == null ? undefined : stepOfCode(keys, id, { encrypted: secondFactor, code });
  if (step !== undefined && step > person.codeStep) {
    person.codeStep = step;
    person[count] = 0;
    person[lock] = null;
    return { kind: 'right' };
  }
  if (step !== undefined) return { kind: 'used' };
  person[count] += 1;
  if (person[count] < wrongCodesMax) return { kind: 'wrong' };
  const until = new Date(Date.now() + lockedMs);
  person[count] = 0;
  person[lock] = until;
  return { kind: 'locked', until, isNew: true };
};

/** As whom an identity provider knows a person. */
interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface Vouched extends ProviderIdentity {
  /** Which the provider has verified. */
  readonly email: string;
  /** When the provider has checked two factors; undefined: it has not, not lately, or does not say when. */
  readonly secondFactorAt: Date | undefined;
}

type ProviderVerdict =
  | { readonly kind: 'right'; readonly token: string }
  | { readonly kind: 'locked'; readonly until: Date }
  /** `link`: what the code also confirms, that the person is the one whom the provider knows so. */
  | { readonly kind: 'code-needed'; readonly personId: number; readonly link: ProviderIdentity | undefined };

/**
 * Signs in a person for whom an identity provider vouches. Issuer and subject alone say who that is. The email finds a
 * person whom this provider does not know yet, and only a code of this person's authenticator app then links the two: an
 * email may have been given to a colleague. Undefined unless the person was invited, has accepted, and is not disabled.
 */
export const signInByProvider = (
  em: EntityManager,
  { issuer, subject, email, secondFactorAt, device }: Vouched & { readonly device: string | undefined },
): Promise<ProviderVerdict | undefined> =>
  transaction(em, async (tx): Promise<ProviderVerdict | undefined> => {
    const known = await tx.findOne(PersonIdentity, { issuer, subject });
    const written = personEmail(email);
    const byEmail = written === undefined ? null : await tx.findOne(Person, { email: written });
    const personId = known?.person.id ?? byEmail?.id;
    if (personId === undefined) return undefined;
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const person = await tx.findOne(Person, { id: personId, disabledAt: null, passwordHash: { $ne: null } }, locked);
    if (!person) return undefined;
    const ofIssuer = known ?? (await tx.findOne(PersonIdentity, { person, issuer }));
    if (ofIssuer && ofIssuer.subject !== subject) {
      await noteRefused(tx, personId, 'other-identity');
      return undefined;
    }
    const until = lockOf(person, { isLink: !ofIssuer });
    if (until) {
      await noteRefused(tx, personId, 'provider');
      return { kind: 'locked', until };
    }
    if (!ofIssuer) return { kind: 'code-needed', personId, link: { issuer, subject } };
    if (!secondFactorAt) return { kind: 'code-needed', personId, link: undefined };
    const details = { by: 'provider' };
    await audit(tx, { actor: person.email, action: 'session.start', target: `person ${person.id}`, details });
    return { kind: 'right', token: startSession(tx, person, device, secondFactorAt) };
  });

type SignInVerdict =
  | { readonly kind: 'right'; readonly token: string }
  | Exclude<CodeVerdict, { readonly kind: 'right' }>;

/** `signed-out`: the session was ended elsewhere meanwhile. */
export type SecondFactorVerdict = SignInVerdict | { readonly kind: 'signed-out' };

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
  /** Of the password that was right. */
  readonly passwordHash?: string | null | undefined;
}

/** Counts a code that was refused. Of those that a lock refuses, only the one that locks is in the audit log by itself. */
const noteCode = async (
  em: EntityManager,
  { id, email: actor }: Person,
  verdict: CodeVerdict,
  { isLink }: CodeUse = { isLink: false },
): Promise<void> => {
  if (verdict.kind === 'right' || verdict.kind === 'used') return;
  await noteRefused(em, id, isLink ? 'link-code' : 'code');
  if (verdict.kind === 'wrong' || !verdict.isNew || isLink) return;
  const details = { until: verdict.until.toISOString() };
  await audit(em, { actor, action: 'session.locked', target: `person ${id}`, details });
};

/** A wrong code came with the right password: the person is told of it at the next sign-in. */
const noteGuess = (person: Person, verdict: CodeVerdict): void => {
  if (verdict.kind !== 'wrong' && !(verdict.kind === 'locked' && verdict.isNew)) return;
  person.guessedCodes += 1;
  person.guessedSince ??= new Date();
};

const checkSecondStep = (
  em: EntityManager,
  keys: Keys,
  { personId, code, device, by, link, passwordHash }: SecondStep,
): Promise<SignInVerdict | undefined> =>
  transaction(em, async (tx): Promise<SignInVerdict | undefined> => {
    const person = await tx.findOneOrFail(Person, personId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (person.disabledAt != null) return undefined;
    // it was changed meanwhile
    if (by === undefined && person.passwordHash !== passwordHash) return undefined;
    const linked = link && (await tx.findOne(PersonIdentity, { person, issuer: link.issuer }));
    if (linked && linked.subject !== link.subject) {
      await noteRefused(tx, personId, 'other-identity');
      return undefined;
    }
    const isLink = link !== undefined && !linked;
    const verdict = checkCode(keys, person, code, { isLink });
    if (by === undefined) noteGuess(person, verdict);
    await noteCode(tx, person, verdict, { isLink });
    if (verdict.kind !== 'right') return verdict;
    if (isLink) {
      tx.create(PersonIdentity, { person, ...link });
      await audit(tx, { actor: person.email, action: 'provider.link', target: `person ${person.id}` });
    }
    const details = by === undefined ? {} : { by };
    await audit(tx, { actor: person.email, action: 'session.start', target: `person ${person.id}`, details });
    return { kind: 'right', token: startSession(tx, person, device) };
  });

/**
 * Signs a person in whose first factor was right. Undefined: it is so no more, or the provider's identity is meanwhile that of
 * somebody else.
 */
export const signInByCode = async (
  em: EntityManager,
  keys: Keys,
  step: SecondStep,
): Promise<SignInVerdict | undefined> => {
  try {
    return await checkSecondStep(em, keys, step);
  } catch (error) {
    if (step.link && error instanceof UniqueConstraintViolationException) return undefined;
    throw error;
  }
};

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
  const { id: personId, passwordHash } = known;
  return (await signInByCode(em, keys, { personId, passwordHash, code, device })) ?? { kind: 'wrong' };
};

/** Checks the second factor of a session again, and replaces the session by a new one. */
export const confirmSecondFactor = (
  em: EntityManager,
  keys: Keys,
  session: Session,
  code: string,
): Promise<SecondFactorVerdict> =>
  transaction(em, async (tx): Promise<SecondFactorVerdict> => {
    const person = await tx.findOneOrFail(Person, session.person.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const before = await tx.findOne(PersonSession, session.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!before) return { kind: 'signed-out' };
    const verdict = checkCode(keys, person, code);
    await noteCode(tx, person, verdict);
    if (verdict.kind !== 'right') return verdict;
    await auditStepUp(tx, person, 'code');
    const token = startSession(tx, person, before.device);
    tx.remove(before);
    return { kind: 'right', token };
  });

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
    const counted = await transaction(em.fork(), async (tx) => {
      const person = await tx.findOneOrFail(Person, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const invitations = await tx.find(Invitation, { person }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      return [person, ...invitations].map((one) => reEncrypt(keys, person, one)).reduce(add, none);
    });
    total = add(total, counted);
  }
  return total;
};

/** How long a browser has to respond. */
export const challengeMs = 5 * 60_000;

export interface ChallengeFor {
  readonly purpose: 'add-passkey' | 'sign-in' | 'step-up' | 'provider' | 'provider-code';
  /** Undefined: nobody is signed in yet. */
  readonly personId?: number | undefined;
}

const addChallenge = statement(
  `insert into sign_in_challenge (token_hash, purpose, person_id, details, expires_at)
   values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')`,
);

/** A random value, of which only the hash is stored. `details`: what the response is compared with. */
export const newChallenge = async (
  pool: Pool,
  { purpose, personId }: ChallengeFor,
  details: object = {},
): Promise<string> => {
  const token = newToken();
  await addChallenge(pool, [hashToken(token), purpose, personId ?? null, JSON.stringify(details), challengeMs]);
  return token;
};

const take = statement<{ details: unknown }>(
  `delete from sign_in_challenge where token_hash = $1 and purpose = $2 and person_id is not distinct from $3
     and expires_at > now() returning details`,
);

/**
 * Uses a challenge up, and returns its details. Undefined: it was used before, is too old, or was given to somebody else or
 * for something else.
 */
export const takeChallenge = async (pool: Pool, token: string, { purpose, personId }: ChallengeFor): Promise<unknown> =>
  (await take(pool, [hashToken(token), purpose, personId ?? null]))[0]?.details;

const removeExpired = statement<{ id: number }>(
  `delete from sign_in_challenge where id = any(array(
     select id from sign_in_challenge where expires_at < now() limit $1)) returning id`,
);

/** Deletes at most so many challenges that nobody has responded to. Returns how many. */
export const deleteExpiredChallenges = async (pool: Pool, rowsMax: number): Promise<number> =>
  (await removeExpired(pool, [rowsMax])).length;
