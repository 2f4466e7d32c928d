import { createHash } from 'node:crypto';
import { Refusal, type AccountId } from '@leadback/domain';
import { type Pool, preparedStatement, type Queryable, transaction, failureScopeOf } from '@leadback/db';
import type { z } from 'zod';
import { batch } from '@leadback/db/batch';

// one for all, because most of the cost of an error is its stack
const overloaded = new Refusal('overloaded');

/** For batches of requests: a tenth of a second of full load. Those beyond it would wait too long, so they learn it at once. */
export const waitingBound = { waitingMax: 1_000, overflow: () => overloaded };

/** A caller's own key for one request to one route. */
interface IdempotencyKey {
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
const fingerprintOf = (item: object): string =>
  createHash('sha256')
    .update(JSON.stringify(item, Object.keys(item).toSorted()))
    .digest('hex');

const nameOf = ({ accountId, route, key }: Pick<IdempotencyKey, 'accountId' | 'route' | 'key'>): string =>
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
const lockIdempotencyKeys = (on: Queryable, keys: readonly IdempotencyKey[]) => lock(on, [parameter(keys)]);

// Plan: each key by its index; see `preparedStatement`.
const load = preparedStatement<StoredResponse>(
  'load-responses',
  `${input} select "accountId", input.route, input.key, encode(r.fingerprint, 'hex') as fingerprint, r.answer
   from input cross join lateral (
     select fingerprint, answer from idempotency_record
     where account_id = "accountId" and route = input.route and key = input.key and created_at + $2::interval > now()
     limit 1
   ) r`,
);

/** Returns the responses stored for these keys within the last 24 hours. */
const loadResponses = (on: Queryable, keys: readonly IdempotencyKey[]) => load(on, [parameter(keys), keptFor]);

// an expired record is replaced
const save = preparedStatement(
  'save-responses',
  `${input} insert into idempotency_record (account_id, route, key, fingerprint, answer)
   select "accountId", route, key, decode(fingerprint, 'hex'), answer from input
   on conflict (account_id, route, key) do update
     set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
);

const saveResponses = (on: Queryable, answers: readonly (IdempotencyKey & { readonly answer: unknown })[]) =>
  save(on, [parameter(answers)]);

const deleteExpired = preparedStatement(
  'delete-expired-responses',
  `delete from idempotency_record where ctid = any(array(
     select ctid from idempotency_record where created_at <= now() - $1::interval limit $2 for update skip locked))
   returning 1`,
);

/** Deletes at most `rowsMax` expired responses. Returns how many. */
export const deleteExpiredResponses = async (pool: Pool, rowsMax: number): Promise<number> =>
  (await deleteExpired(pool, [keptFor, rowsMax])).length;

/** A request and the caller's idempotency key, if any. */
export interface Requested<Item> {
  readonly item: Item;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The result of an item that lost to a transaction which the snapshot of its statement does not include: it is tried
 * again by itself.
 */
export const tryAgain = Symbol('try again');
export type Tried<Result> = Result | typeof tryAgain;

export interface Idempotence<Item, Result> {
  /** The scope of an item's key. */
  readonly route: (item: Item) => string;
  /** The part of an item that two requests with one key must have in common. Default: everything. */
  readonly fingerprinted?: (item: Item) => object;
  /** Must return one result per item, in order. */
  readonly run: (on: Queryable, items: readonly Item[]) => Promise<readonly Tried<Result>[]>;
  /** The schema of the stored result. */
  readonly schema: z.ZodType<Result>;
  /** Whether a result is stored for repeated requests; any other result is determined again by the next request. */
  readonly isFinal: (result: Result) => boolean;
}

/** The result of a request or of the first one with its key. */
interface OnceResult<Result> {
  readonly result: Result;
  /** Whether an earlier request with the same key did it. */
  readonly isRepeated: boolean;
}

/** A refusal if the key of a request has no result to return. */
type OnceResponse<Result> = Tried<OnceResult<Result>> | Refusal;

const answerOf = <Result>(result: Tried<Result>): OnceResponse<Result> =>
  result === tryAgain ? tryAgain : { result, isRepeated: false };

const isKeyed = ({ idempotencyKey }: { readonly idempotencyKey?: string | undefined }) => idempotencyKey !== undefined;

/**
 * Makes a run of many items safe to repeat. An item with a key is executed once; its result is stored in the same
 * transaction, which the caller provides, and returned to requests with the same key and content within 24 hours.
 */
export const onceWithin = <Item extends { readonly accountId: AccountId }, Result>({
  route,
  fingerprinted = (item) => item,
  run,
  schema,
  isFinal,
}: Idempotence<Item, Result>) => {
  type Request = Requested<Item>;

  const keyed = (request: Request): [Request, IdempotencyKey][] => {
    const { item, idempotencyKey: key } = request;
    if (key === undefined) return [];
    const fingerprint = fingerprintOf(fingerprinted(item));
    return [[request, { accountId: item.accountId, route: route(item), key, fingerprint }]];
  };

  const runAll = async (on: Queryable, requests: readonly Request[]) => {
    const items = requests.map(({ item }) => item);
    const results = items.length === 0 ? [] : await run(on, items);
    return new Map(
      requests.map((request, index): [Request, Tried<Result>] => {
        const result = results[index];
        if (result === undefined) throw new Error('run returned fewer results than items');
        return [request, result];
      }),
    );
  };

  const runKeyed = async (on: Queryable, requests: readonly Request[]) => {
    const keyOf = new Map(requests.flatMap((request) => keyed(request)));
    // of several requests with the same key in this run, the first one is executed
    const first = new Map([...keyOf].toReversed().map(([request, key]) => [nameOf(key), request]));
    const keys = [...first.values()].flatMap((request) => keyOf.get(request) ?? []);
    const locked = new Set((await lockIdempotencyKeys(on, keys)).map(nameOf));
    // in a separate statement: the snapshot of the lock statement does not include what the last holder has committed
    const storedResults = new Map(
      (await loadResponses(on, keys)).map((stored) => {
        return [nameOf(stored), { fingerprint: stored.fingerprint, result: schema.parse(stored.answer) }] as const;
      }),
    );

    const isFresh = (request: Request): boolean => {
      const key = keyOf.get(request);
      if (!key) return true;
      const name = nameOf(key);
      return locked.has(name) && !storedResults.has(name) && first.get(name) === request;
    };
    const results = await runAll(on, requests.filter(isFresh));
    const toStore = [...results].flatMap(([request, answer]) => {
      const key = keyOf.get(request);
      return key && answer !== tryAgain && isFinal(answer) ? { ...key, answer } : [];
    });
    await saveResponses(on, toStore);
    const storedNow = new Map(
      toStore.map(({ answer, ...key }) => [nameOf(key), { fingerprint: key.fingerprint, result: answer }]),
    );

    return requests.map((request): OnceResponse<Result> => {
      const result = results.get(request);
      if (result !== undefined) return answerOf(result);
      const key = keyOf.get(request);
      const earlier = key && (storedResults.get(nameOf(key)) ?? storedNow.get(nameOf(key)));
      if (!earlier) return new Refusal('idempotency-in-progress');
      return earlier.fingerprint === key.fingerprint
        ? { result: earlier.result, isRepeated: true }
        : new Refusal('idempotency-key-reused');
    });
  };

  return async (on: Queryable, requests: readonly Request[]): Promise<OnceResponse<Result>[]> => {
    if (requests.some(isKeyed)) return runKeyed(on, requests);
    const results = await runAll(on, requests);
    return [...results.values()].map(answerOf);
  };
};

interface OnceEach<Item, Result, Accepted> extends Idempotence<Item, Result> {
  /** Whether `run` is several statements that belong together, for an item. Default: never. */
  readonly needsTransaction?: (item: Item) => boolean;
  /** The item as it is tried again after `tryAgain`. Default: unchanged. */
  readonly secondTry?: (item: Item) => Item;
  /** The accepted part of a result. Throws a `Refusal` if the result refuses the request. */
  readonly accept: (result: Result, item: Item) => Accepted;
}

// A statement costs as much as some fifteen rows, so two statements with half the rows each cost more than one with all.
// The second run is for what would wait long: while a statement waits for a lock, or while many requests arrive. In an
// overload, a turn of the event loop begins a hundred registrations, and a run ends once per turn: with runs of 50, an
// overloaded api registered a quarter less. After PostgreSQL was slow, a run takes half of all that wait.
const limits = {
  itemsUsual: 50,
  itemsMax: 500,
  runsMax: 2,
  besideMs: 2,
  failureScope: failureScopeOf,
  bound: waitingBound,
};

/**
 * Holds the requests that wait. Returns a function that executes one. Concurrent requests share a statement and a commit,
 * and a request with an idempotency key is executed once. Throws `idempotency-in-progress` or `idempotency-key-reused` if the key has no
 * result to return, `overloaded` while many wait, and whatever `accept` throws.
 */
export const onceEach = <Item extends { readonly accountId: AccountId }, Result, Accepted>(
  pool: Pool,
  {
    needsTransaction = () => false,
    secondTry = (item) => item,
    accept,
    ...idempotence
  }: OnceEach<Item, Result, Accepted>,
): ((request: Requested<Item>) => Promise<OnceResult<Accepted>>) => {
  const once = onceWithin(idempotence);
  const run = batch(
    (requests: readonly Requested<Item>[]) =>
      requests.some((request) => isKeyed(request) || needsTransaction(request.item))
        ? transaction(pool, (on) => once(on, requests))
        : once(pool, requests),
    limits,
  );
  return async ({ item: first, idempotencyKey }) => {
    // a lost item alone: the rest of its group is committed and must not be executed again if this fails
    for (let item = first; ; item = secondTry(item)) {
      const answer = await run({ item, idempotencyKey });
      if (answer instanceof Refusal) throw answer;
      if (answer !== tryAgain) return { ...answer, result: accept(answer.result, item) };
    }
  };
};
