import { type EntityManager, type Pool, preparedStatement } from '@leadback/db';

/** What was wrong. */
export type RefusedKind =
  | 'password'
  | 'code'
  | 'passkey'
  | 'provider'
  /** A code that would have linked an identity of a provider. */
  | 'link-code'
  /** A provider vouched for the email, and knows the person by another subject. */
  | 'other-identity';

/**
 * Counts an attempt to sign in or step up that was refused, in the row of the person. A flood adds no entry to the audit log
 * by itself: `auditRefused` adds one for an hour.
 */
export const noteRefused = async (em: EntityManager, personId: number, kind: RefusedKind): Promise<void> => {
  await em.execute(
    `update person set refused_since = coalesce(refused_since, now()),
       refused = refused || jsonb_build_object(?::text, coalesce((refused ->> ?)::int, 0) + 1)
     where id = ?`,
    [kind, kind, personId],
  );
};

// one statement for all rows, and so two consoles at the same time add one entry
const end = preparedStatement<{ id: number }>(
  'audit-refused-sign-ins',
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

const confirm = preparedStatement(
  'confirm-guessed-codes',
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
