import type { AccountId } from '@leadback/domain';
import type { Pool } from 'pg';
import { preparedStatement, type Queryable } from '../prepared-statement.ts';

/** A caller's own key for one request to one route. */
export interface IdempotencyKey {
  readonly accountId: AccountId;
  readonly route: string;
  readonly key: string;
  /** SHA-256 of what was asked for, in hexadecimal. */
  readonly fingerprint: string;
}

export interface StoredResponse extends Pick<IdempotencyKey, 'accountId' | 'route' | 'key' | 'fingerprint'> {
  readonly answer: unknown;
}

const keptFor = '24 hours';

const input = `with input as (
  select * from json_to_recordset($1) as ("accountId" bigint, route text, key text, fingerprint text, answer jsonb)
)`;

// in the words of the statements, whatever else the given keys carry
const parameter = (keys: readonly (IdempotencyKey & { readonly answer?: unknown })[]) =>
  JSON.stringify(
    keys.map(({ accountId, route, key, fingerprint, answer }) => ({ accountId, route, key, fingerprint, answer })),
  );

const lock = preparedStatement<Pick<IdempotencyKey, 'accountId' | 'route' | 'key'>>(
  'lock-idempotency-keys',
  `${input} select "accountId", route, key from input
   where pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', "accountId", route, key), 24))`,
);

/** Locks keys until the transaction ends; gives those that no other transaction, on whichever instance, has locked. */
export const lockIdempotencyKeys = (on: Queryable, keys: readonly IdempotencyKey[]) => lock(on, [parameter(keys)]);

const recall = preparedStatement<StoredResponse>(
  'recall-answers',
  `${input} select "accountId", input.route, input.key, encode(r.fingerprint, 'hex') as fingerprint, r.answer
   from input join idempotency_record r on r.account_id = "accountId" and r.route = input.route and r.key = input.key
   where r.created_at > now() - $2::interval`,
);

/** Gives what was answered to these keys within the last 24 hours. */
export const loadResponses = (on: Queryable, keys: readonly IdempotencyKey[]) => recall(on, [parameter(keys), keptFor]);

// a record that is no longer kept makes room for the new one
const remember = preparedStatement(
  'remember-answers',
  `${input} insert into idempotency_record (account_id, route, key, fingerprint, answer)
   select "accountId", route, key, decode(fingerprint, 'hex'), answer from input
   on conflict (account_id, route, key) do update
     set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
);

export const saveResponses = (on: Queryable, answers: readonly (IdempotencyKey & { readonly answer: unknown })[]) =>
  remember(on, [parameter(answers)]);

const forget = preparedStatement(
  'forget-answers',
  `delete from idempotency_record where ctid = any(array(
     select ctid from idempotency_record where created_at <= now() - $1::interval limit $2 for update skip locked))
   returning 1`,
);

/** Deletes at most `rowsMax` answers that are no longer kept; gives how many there were. */
export const deleteExpiredResponses = async (pool: Pool, rowsMax: number): Promise<number> =>
  (await forget(pool, [keptFor, rowsMax])).length;
