import { createHash } from 'node:crypto';
import type { AccountId } from '@leadback/domain';
import { type Pool, preparedStatement, type Queryable } from '@leadback/db';

/** A caller's own key for one request to one route. */
export interface IdempotencyKey {
  readonly accountId: AccountId;
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the request, in hexadecimal. */
  readonly fingerprint: string;
}

interface StoredResponse extends IdempotencyKey {
  readonly answer: unknown;
}

// sorted by name, so that the order of fields in the code does not matter
export const fingerprintOf = (item: object): string =>
  createHash('sha256')
    .update(JSON.stringify(item, Object.keys(item).toSorted()))
    .digest('hex');

export const nameOf = ({ accountId, route, key }: Pick<IdempotencyKey, 'accountId' | 'route' | 'key'>): string =>
  `${accountId} ${route} ${key}`;

const keptFor = '24 hours';

const input = `with input as (
  select * from json_to_recordset($1) as ("accountId" bigint, route text, key text, fingerprint text, answer jsonb)
)`;

// only the fields that the statements read
const parameter = (keys: readonly (IdempotencyKey & { readonly answer?: unknown })[]) =>
  JSON.stringify(
    keys.map(({ accountId, route, key, fingerprint, answer }) => ({ accountId, route, key, fingerprint, answer })),
  );

const lock = preparedStatement<Pick<IdempotencyKey, 'accountId' | 'route' | 'key'>>(
  'lock-idempotency-keys',
  `${input} select "accountId", route, key from input
   where pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', "accountId", route, key), 24))`,
);

/** Locks keys until the transaction ends. Returns those that no other transaction on any instance holds. */
export const lockIdempotencyKeys = (on: Queryable, keys: readonly IdempotencyKey[]) => lock(on, [parameter(keys)]);

const load = preparedStatement<StoredResponse>(
  'recall-answers',
  `${input} select "accountId", input.route, input.key, encode(r.fingerprint, 'hex') as fingerprint, r.answer
   from input cross join lateral (
     select fingerprint, answer from idempotency_record
     where account_id = "accountId" and route = input.route and key = input.key and created_at + $2::interval > now()
     limit 1
   ) r`,
);

/** Returns the responses stored for these keys within the last 24 hours. */
export const loadResponses = (on: Queryable, keys: readonly IdempotencyKey[]) => load(on, [parameter(keys), keptFor]);

// an expired record is replaced
const save = preparedStatement(
  'remember-answers',
  `${input} insert into idempotency_record (account_id, route, key, fingerprint, answer)
   select "accountId", route, key, decode(fingerprint, 'hex'), answer from input
   on conflict (account_id, route, key) do update
     set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
);

export const saveResponses = (on: Queryable, answers: readonly (IdempotencyKey & { readonly answer: unknown })[]) =>
  save(on, [parameter(answers)]);

const deleteExpired = preparedStatement(
  'forget-answers',
  `delete from idempotency_record where ctid = any(array(
     select ctid from idempotency_record where created_at <= now() - $1::interval limit $2 for update skip locked))
   returning 1`,
);

/** Deletes at most `rowsMax` expired responses. Returns how many. */
export const deleteExpiredResponses = async (pool: Pool, rowsMax: number): Promise<number> =>
  (await deleteExpired(pool, [keptFor, rowsMax])).length;
