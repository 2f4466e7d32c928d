import { type AccountId, Refusal } from '@leadback/domain';
import { inTransaction, type Pool, type Queryable } from '@leadback/db';
import type { z } from 'zod';
import {
  fingerprintOf,
  type IdempotencyKey,
  loadResponses,
  lockIdempotencyKeys,
  nameOf,
  saveResponses,
} from './idempotency-records.ts';

/** A request and the caller's idempotency key, if any. */
export interface Requested<Item> {
  readonly item: Item;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The result of an item that lost to a transaction which the snapshot of its statement does not include: it is tried
 * again by itself.
 */
export const lost = Symbol('lost');
export type Tried<Result> = Result | typeof lost;

/** Calls a function, which must not throw, once after the commit; never if the statement or the commit fails. */
export type AfterCommit = (effect: () => void) => void;

export interface Idempotence<Item, Result> {
  /** The scope of an item's key. */
  readonly route: (item: Item) => string;
  /** The part of an item that two requests with one key must have in common. Default: everything. */
  readonly fingerprinted?: (item: Item) => object;
  /** Must return one result per item, in order. */
  readonly run: (on: Queryable, items: readonly Item[], afterCommit: AfterCommit) => Promise<readonly Tried<Result>[]>;
  /** The schema of the stored result. */
  readonly schema: z.ZodType<Result>;
  /** Whether a result is stored for repeated requests; any other result is determined again by the next request. */
  readonly isFinal: (result: Result) => boolean;
}

/** The result of a request or of the first one with its key. */
export interface OnceResult<Result> {
  readonly result: Result;
  /** Whether an earlier request with the same key did it. */
  readonly isRepeated: boolean;
}

/** A refusal if the key of a request has no result to return. */
export type Answer<Result> = Tried<OnceResult<Result>> | Refusal;

const answerOf = <Result>(result: Tried<Result>): Answer<Result> =>
  result === lost ? lost : { result, isRepeated: false };

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

  const runAll = async (on: Queryable, requests: readonly Request[], afterCommit: AfterCommit) => {
    const items = requests.map(({ item }) => item);
    const results = items.length === 0 ? [] : await run(on, items, afterCommit);
    return new Map(
      requests.map((request, index): [Request, Tried<Result>] => {
        const result = results[index];
        if (result === undefined) throw new Error('run returned fewer results than items');
        return [request, result];
      }),
    );
  };

  const runKeyed = async (on: Queryable, requests: readonly Request[], afterCommit: AfterCommit) => {
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
    const results = await runAll(on, requests.filter(isFresh), afterCommit);
    const toStore = [...results].flatMap(([request, answer]) => {
      const key = keyOf.get(request);
      return key && answer !== lost && isFinal(answer) ? { ...key, answer } : [];
    });
    await saveResponses(on, toStore);
    const storedNow = new Map(
      toStore.map(({ answer, ...key }) => [nameOf(key), { fingerprint: key.fingerprint, result: answer }]),
    );

    return requests.map((request): Answer<Result> => {
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

  return async (on: Queryable, requests: readonly Request[], afterCommit: AfterCommit): Promise<Answer<Result>[]> => {
    if (requests.some(isKeyed)) return runKeyed(on, requests, afterCommit);
    const results = await runAll(on, requests, afterCommit);
    return [...results.values()].map(answerOf);
  };
};

export interface OnceOptions {
  /** Whether `run` is several statements that belong together. */
  readonly needsTransaction?: boolean;
}

/** Like `onceWithin`, in a transaction of its own, or in none if `run` needs none and no item has a key. */
export const runOnce = <Item extends { readonly accountId: AccountId }, Result>(
  pool: Pool,
  { needsTransaction = false, ...idempotence }: Idempotence<Item, Result> & OnceOptions,
): ((requests: readonly Requested<Item>[]) => Promise<readonly Answer<Result>[]>) => {
  const run = onceWithin(idempotence);
  return async (requests) => {
    const effects: (() => void)[] = [];
    const runOn = (on: Queryable) => run(on, requests, (effect) => effects.push(effect));
    const answers = await (needsTransaction || requests.some(isKeyed) ? inTransaction(pool, runOn) : runOn(pool));
    for (const effect of effects) effect();
    return answers;
  };
};
