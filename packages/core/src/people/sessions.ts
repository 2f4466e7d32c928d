import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@leadback/domain';
import { LockMode } from '@mikro-orm/core';
import {
  type EntityManager,
  Person,
  PersonSession,
  type Pool,
  preparedStatement,
  transaction,
  statement,
} from '@leadback/db';
import { audit } from '../audit.ts';
import { ActionRefused } from './access.ts';

/** 32 random bytes, for a cookie or a link. Only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256: enough for random bytes, which nobody can guess. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

const hourMs = 3_600_000;
/** How long a session lasts without a request. */
const sessionIdleMs = 12 * hourMs;
const sessionMs = 7 * 24 * hourMs;
/** How long actions that need a fresh second factor stay open. */
export const steppedUpMs = 5 * 60_000;

interface Row {
  hash: string;
  id: number;
  person_id: number;
  email: string;
  role: Role;
  stepped_up_at: Date;
  seen_at: Date;
  is_noted: boolean;
  guessed_codes: number;
  guessed_since: Date | null;
}

/** A person who is signed in. */
export interface Session {
  readonly id: number;
  readonly person: { readonly id: number; readonly email: string; readonly role: Role };
  readonly steppedUpAt: Date;
  readonly idleUntil: Date;
  /** Wrong codes with the right password of which the person was not told yet. */
  readonly guessedCodes: { readonly count: number; readonly since: Date } | null;
}

/** Starts a session, which has passed the second factor at a time, now by default. Returns its token, which is not stored. */
export const startSession = (
  em: EntityManager,
  person: Person,
  device: string | null | undefined,
  steppedUpAt = new Date(),
): string => {
  const token = newToken();
  const now = new Date();
  person.seenAt = now;
  em.create(PersonSession, {
    person,
    tokenHash: hashToken(token),
    device: device ?? null,
    steppedUpAt,
    seenAt: now,
    createdAt: now,
    expiresAt: new Date(now.getTime() + sessionMs),
  });
  return token;
};

const find = preparedStatement<Row>(
  'find-person-sessions',
  `select encode(asked.hash, 'hex') as hash, s.id, s.person_id, p.email, p.role, p.guessed_codes, p.guessed_since,
          s.stepped_up_at, s.seen_at, s.seen_at > now() - interval '1 minute' as is_noted
   from unnest($1::bytea[]) asked (hash)
   cross join lateral (select * from person_session where token_hash = asked.hash limit 1) s
   cross join lateral (select email, role, disabled_at, guessed_codes, guessed_since from person where id = s.person_id limit 1) p
   where s.expires_at > now() and s.seen_at > now() - $2 * interval '1 millisecond' and p.disabled_at is null`,
);

const note = preparedStatement(
  'note-person-session',
  `with noted as (update person_session set seen_at = now() where id = $1 returning person_id)
   update person set seen_at = now() where id = (select person_id from noted)`,
);

export interface FoundSession extends Session {
  /** Whether a request of the last minute is noted already. */
  readonly isSeenNoted: boolean;
}

/** The session of each token; null if it has ended, was never started, or its person is disabled. */
export const findSessions = async (pool: Pool, tokens: readonly string[]): Promise<(FoundSession | null)[]> => {
  const hashes = tokens.map(hashToken);
  const rows = await find(pool, [hashes, sessionIdleMs]);
  const sessions = new Map(
    rows.map((row) => [
      row.hash,
      {
        id: row.id,
        person: { id: row.person_id, email: row.email, role: row.role },
        steppedUpAt: row.stepped_up_at,
        idleUntil: new Date(row.seen_at.getTime() + sessionIdleMs),
        guessedCodes: row.guessed_since && { count: row.guessed_codes, since: row.guessed_since },
        isSeenNoted: row.is_noted,
      },
    ]),
  );
  return hashes.map((hash) => sessions.get(hash.toString('hex')) ?? null);
};

/** Notes that the person of a session was here. */
export const noteSeen = async (pool: Pool, session: Session): Promise<Session> => {
  await note(pool, [session.id]);
  return { ...session, idleUntil: new Date(Date.now() + sessionIdleMs) };
};

/** Adds to the audit log that a person has given the second factor again. */
export const auditStepUp = (em: EntityManager, { id, email }: Person, by: 'code' | 'passkey'): Promise<void> =>
  audit(em, { actor: email, action: 'session.stepped-up', target: `person ${id}`, details: { by } });

const remove = statement(
  `with ended as (delete from person_session where id = $1 returning person_id)
   insert into audit_entry (actor, action, target, details)
   select $2, $3, 'person ' || person_id, $4 from ended`,
);

export const endSession = async (pool: Pool, { id, person }: Session): Promise<void> => {
  await remove(pool, [id, person.email, 'session.sign-out', '{}']);
};

/** Ends a session in which too many passwords or codes were wrong: somebody else may have it. */
export const endGuessingSession = async (pool: Pool, { id, person }: Session): Promise<void> => {
  await remove(pool, [id, person.email, 'session.end', JSON.stringify({ because: 'wrong-attempts' })]);
};

const removeEnded = statement<{ id: number }>(
  `delete from person_session where id = any(array(
     select id from person_session
     where expires_at < now() or seen_at < now() - $1 * interval '1 millisecond' limit $2)) returning id`,
);

/** Deletes at most so many sessions that have ended by themselves. Returns how many. */
export const deleteEndedSessions = async (pool: Pool, rowsMax: number): Promise<number> =>
  (await removeEnded(pool, [sessionIdleMs, rowsMax])).length;

const listedMax = 50;

/** The sessions of a person that have not ended, last seen first; the first 50. */
export const listSessions = (em: EntityManager, { person }: Session): Promise<PersonSession[]> =>
  em.find(
    PersonSession,
    {
      person: person.id,
      expiresAt: { $gt: new Date() },
      seenAt: { $gt: new Date(Date.now() - sessionIdleMs) },
    },
    { orderBy: { seenAt: 'desc', id: 'desc' }, limit: listedMax },
  );

const audited = (tx: EntityManager, { person }: Session, ended: number) =>
  audit(tx, { actor: person.email, action: 'session.end', target: `person ${person.id}`, details: { ended } });

// as all that replaces a session: a new one in place of one that ends here would be left
const lockOwner = (tx: EntityManager, { person }: Session) =>
  tx.findOneOrFail(Person, person.id, { lockMode: LockMode.PESSIMISTIC_WRITE });

/** Ends another session of the same person. */
export const endSessionOf = (em: EntityManager, session: Session, id: number): Promise<void> =>
  transaction(em, async (tx) => {
    await lockOwner(tx, session);
    const ended = await tx.nativeDelete(PersonSession, { id, person: session.person.id });
    if (ended === 0) throw new ActionRefused('not-found', 'you have no such session; it may have ended already');
    await audited(tx, session, ended);
  });

/** Ends all sessions of the person but this one. Returns how many. */
export const endOtherSessions = (em: EntityManager, session: Session): Promise<number> =>
  transaction(em, async (tx) => {
    await lockOwner(tx, session);
    const ended = await tx.nativeDelete(PersonSession, { person: session.person.id, id: { $ne: session.id } });
    if (ended > 0) await audited(tx, session, ended);
    return ended;
  });
