import { createHash } from 'node:crypto';
import type { AccountId } from '@leadback/domain';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { inTransaction } from './in-transaction.ts';
import type { Queryable } from './prepared-statement.ts';
import {
  type IdempotencyKey,
  lockIdempotencyKeys,
  loadResponses,
  saveResponses,
} from './queries/idempotency-records.ts';

/** Something to be done, and the caller's own key for it, by which a repeated request is told from a new one. */
export interface Requested<Item> {
  readonly item: Item;
  readonly idempotencyKey?: string | undefined;
}

export type Answered<Result> =
  | { readonly kind: 'answered'; readonly result: Result; readonly isRepeated: boolean }
  /** The first request with this key is under way. */
  | { readonly kind: 'running' }
  /** The key was used for something else. */
  | { readonly kind: 'key-reused' };

export interface Idempotence<Item, Result> {
  /** What an item's key belongs to; the same key elsewhere is another. */
  readonly route: (item: Item) => string;
  /** What two requests with one key must have in common; left out: everything. */
  readonly fingerprinted?: (item: Item) => object;
  /** Gives one result per item, in their order. */
  readonly run: (on: Queryable, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Of a result, as it is kept as JSON. */
  readonly schema: z.ZodType<Result>;
  /** Whether a result is stored for repeated requests; any other is found out again by the next request. */
  readonly isFinal: (result: Result) => boolean;
}

// by name, so that the order in which a release of ours builds an item does not matter
const fingerprintOf = (item: object): string =>
  createHash('sha256')
    .update(JSON.stringify(item, Object.keys(item).toSorted()))
    .digest('hex');

const nameOf = ({ accountId, route, key }: Pick<IdempotencyKey, 'accountId' | 'route' | 'key'>) =>
  `${accountId} ${route} ${key}`;

/**
 * Makes a run of many items safe to repeat: an item with a key is done once, and its result, remembered in the same
 * transaction, is given again to whoever asks with the same key for the same within 24 hours. Without any key among the
 * items the run goes to the pool as it is.
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
        if (result === undefined) throw new Error('a run gave fewer results than it got items');
        return [request, result];
      }),
    );
  };

  const runOnce = async (on: Queryable, requests: readonly Request[]): Promise<Answered<Result>[]> => {
    const keyOf = new Map(requests.flatMap((request) => keyed(request)));
    // of several requests with the same key in this very run the first goes on
    const first = new Map([...keyOf].toReversed().map(([request, key]) => [nameOf(key), request]));
    const keys = [...first.values()].flatMap((request) => keyOf.get(request) ?? []);
    const locked = new Set((await lockIdempotencyKeys(on, keys)).map(nameOf));
    // in a statement of its own: the lock's snapshot would not show what its last holder has just committed
    const remembered = new Map(
      (await loadResponses(on, keys)).flatMap((stored) => {
        const result = schema.parse(stored.answer);
        // an earlier version stored some that are not final
        return isFinal(result) ? [[nameOf(stored), { fingerprint: stored.fingerprint, result }] as const] : [];
      }),
    );

    const isFresh = (request: Request): boolean => {
      const key = keyOf.get(request);
      if (!key) return true;
      const name = nameOf(key);
      return locked.has(name) && !remembered.has(name) && first.get(name) === request;
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
      const earlier = key && remembered.get(nameOf(key));
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
