import { type Pool, preparedStatement } from '@leadback/db';
import { hashToken, newToken } from './token.ts';

/** How long a browser has to respond. */
export const challengeMs = 5 * 60_000;

export interface ChallengeFor {
  readonly purpose: 'add-passkey' | 'sign-in' | 'step-up' | 'provider' | 'provider-code';
  /** Undefined: nobody is signed in yet. */
  readonly personId?: number | undefined;
}

const add = preparedStatement(
  'add-sign-in-challenge',
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
  await add(pool, [hashToken(token), purpose, personId ?? null, JSON.stringify(details), challengeMs]);
  return token;
};

const take = preparedStatement<{ details: unknown }>(
  'take-sign-in-challenge',
  `delete from sign_in_challenge where token_hash = $1 and purpose = $2 and person_id is not distinct from $3
     and expires_at > now() returning details`,
);

/**
 * Uses a challenge up, and returns its details. Undefined: it was used before, is too old, or was given to somebody else or
 * for something else.
 */
export const takeChallenge = async (pool: Pool, token: string, { purpose, personId }: ChallengeFor): Promise<unknown> =>
  (await take(pool, [hashToken(token), purpose, personId ?? null]))[0]?.details;

const removeExpired = preparedStatement<{ id: number }>(
  'delete-expired-sign-in-challenges',
  `delete from sign_in_challenge where id = any(array(
     select id from sign_in_challenge where expires_at < now() limit $1)) returning id`,
);

/** Deletes at most so many challenges that nobody has responded to. Returns how many. */
export const deleteExpiredChallenges = async (pool: Pool, rowsMax: number): Promise<number> =>
  (await removeExpired(pool, [rowsMax])).length;
