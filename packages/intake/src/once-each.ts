import { createHash } from 'node:crypto';
import type { AccountId } from '@leadback/domain';
import { type Pool, inTransaction, type Queryable } from '@leadback/db';
import type { z } from 'zod';
import { type IdempotencyKey, lockIdempotencyKeys, loadResponses, saveResponses } from './idempotency-records.ts';

/** A request and the caller's idempotency key, if any. */
export interface Requested<Item> {
  readonly item: Item;
  readonly idempotencyKey?: string | undefined;
}

export type Answered<Result> =
  | { readonly kind: 'answered'; readonly result: Result; readonly isRepeated: boolean }
  /** The first request with this key is in progress. */
  | { readonly kind: 'running' }
  /** The key was used for another request. */
  | { readonly kind: 'key-reused' };

export interface Idempotence<Item, Result> {
  /** The scope of an item's key. */
  readonly route: (item: Item) => string;
  /** The part of an item that two requests with one key must have in common. Default: everything. */
  readonly fingerprinted?: (item: Item) => object;
  /** Must return one result per item, in order. */
  readonly run: (on: Queryable, items: readonly Item[]) => Promise<readonly Result[]>;
  /** The schema of the stored result. */
  readonly schema: z.ZodType<Result>;
  /** Whether a result is stored for repeated requests; any other result is determined again by the next request. */
  readonly isFinal: (result: Result) => boolean;
}

// sorted by name, so that the order of fields in the code does not matter
const fingerprintOf = (item: object): string =>
  createHash('sha256')
    .update(JSON.stringify(item, Object.keys(item).toSorted()))
    .digest('hex');

const nameOf = ({ accountId, route, key }: Pick<IdempotencyKey, 'accountId' | 'route' | 'key'>) =>
  `${accountId} ${route} ${key}`;

/**
 * Makes a run of many items safe to repeat. An item with a key is executed once; its result is stored in the same
 * transaction and returned to requests with the same key and content within 24 hours. If no item has a key, the run
 * uses the pool without a transaction.
 */
export const idempotent = <Item extends { readonly accountId: AccountId }, Result>(
  pool: Pool,
  { route, fingerprinted = (item) => item, run, schema, isFinal }: Idempotence<Item, Result>,
): ((requests: readonly Requested<Item>[]) => Promise<readonly Answered<Result>[]>) => {
  type Request = Requested<Item>;

  const keyed = (request: Request): [Request, IdempotencyKey][] => {
    const { item, idempotencyKey: key } = request;
    if (key === undefined) return [];
    const fingerprint = fingerprintOf(fingerprinted(item));
    return [[request, { accountId: item.accountId, route: route(item), key, fingerprint }]];
  };

  const runAll = async (on: Queryable, requests: readonly Request[]): Promise<Map<Request, Result>> => {
    const items = requests.map(({ item }) => item);
    const results = items.length === 0 ? [] : await run(on, items);
    return new Map(
      requests.map((request, index) => {
        const result = results[index];
        if (result === undefined) throw new Error('run returned fewer results than items');
        return [request, result];
      }),
    );
  };

  const runOnce = async (on: Queryable, requests: readonly Request[]): Promise<Answered<Result>[]> => {
    const keyOf = new Map(requests.flatMap((request) => keyed(request)));
    // of several requests with the same key in this run, the first one is executed
    const first = new Map([...keyOf].toReversed().map(([request, key]) => [nameOf(key), request]));
    const keys = [...first.values()].flatMap((request) => keyOf.get(request) ?? []);
    const locked = new Set((await lockIdempotencyKeys(on, keys)).map(nameOf));
    // in a separate statement: the snapshot of the lock statement does not include what the last holder has committed
    const storedResults = new Map(
      (await loadResponses(on, keys)).flatMap((stored) => {
        const result = schema.parse(stored.answer);
        // an earlier version stored results that are not final
        return isFinal(result) ? [[nameOf(stored), { fingerprint: stored.fingerprint, result }] as const] : [];
      }),
    );

    const isFresh = (request: Request): boolean => {
      const key = keyOf.get(request);
      if (!key) return true;
      const name = nameOf(key);
      return locked.has(name) && !storedResults.has(name) && first.get(name) === request;
    };
    const results = await runAll(on, requests.filter(isFresh));
    const toRemember = [...results].flatMap(([request, answer]) => {
      const key = keyOf.get(request);
      return key && isFinal(answer) ? { ...key, answer } : [];
    });
    await saveResponses(on, toRemember);

    return requests.map((request) => {
      const result = results.get(request);
      if (result !== undefined) return { kind: 'answered', result, isRepeated: false };
      const key = keyOf.get(request);
      const earlier = key && storedResults.get(nameOf(key));
      if (!earlier) return { kind: 'running' };
      return earlier.fingerprint === key.fingerprint
        ? { kind: 'answered', result: earlier.result, isRepeated: true }
        : { kind: 'key-reused' };
    });
  };

  return async (requests) => {
    if (requests.some(({ idempotencyKey }) => idempotencyKey !== undefined)) {
      return inTransaction(pool, (client) => runOnce(client, requests));
    }
    const results = await runAll(pool, requests);
    return [...results.values()].map((result) => ({ kind: 'answered', result, isRepeated: false }));
  };
};
