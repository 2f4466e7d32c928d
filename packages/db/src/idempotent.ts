import { createHash } from 'node:crypto';
import type { AccountId } from '@leadback/domain';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { inTransaction } from './in-transaction.ts';
import type { Queryable } from './prepared-statement.ts';
import {
  type IdempotencyKey,
  lockIdempotencyKeys,
  recallAnswers,
  rememberAnswers,
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
  /** Where the keys are of; the same key elsewhere is another. */
  readonly route: string;
  /** Gives one result per item, in their order. */
  readonly run: (on: Queryable, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Of a result, as it is kept as JSON. */
  readonly schema: z.ZodType<Result>;
  /** Whether a result is to be remembered; one that is not is found out anew by the next request. Left out: always. */
  readonly isFinal?: (result: Result) => boolean;
}

// by name, so that the order in which a release of ours builds an item does not matter
const fingerprintOf = (item: object): string =>
  createHash('sha256')
    .update(JSON.stringify(item, Object.keys(item).toSorted()))
    .digest('hex');

const nameOf = ({ accountId, key }: Pick<IdempotencyKey, 'accountId' | 'key'>) => `${accountId} ${key}`;

/**
 * Makes a run of many items safe to repeat: an item with a key is done once, and its result, remembered in the same
 * transaction, is given again to whoever asks with the same key for the same within 24 hours. Without any key among the
 * items the run goes to the pool as it is.
 */
export const idempotent = <Item extends { readonly accountId: AccountId }, Result>(
  pool: Pool,
  { route, run, schema, isFinal = () => true }: Idempotence<Item, Result>,
): ((requests: readonly Requested<Item>[]) => Promise<readonly Answered<Result>[]>) => {
  type Request = Requested<Item>;

  const keyed = (request: Request): [Request, IdempotencyKey][] => {
    const { item, idempotencyKey: key } = request;
    if (key === undefined) return [];
    return [[request, { accountId: item.accountId, route, key, fingerprint: fingerprintOf(item) }]];
  };

  const runAll = async (on: Queryable, requests: readonly Request[]): Promise<Map<Request, Result>> => {
    const items = requests.map(({ item }) => item);
    const results = items.length === 0 ? [] : await run(on, items);
    return new Map(
      requests.map((request, place) => {
        const result = results[place];
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
    const remembered = new Map((await recallAnswers(on, keys)).map((answer) => [nameOf(answer), answer]));

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
    await rememberAnswers(on, toRemember);

    return requests.map((request) => {
      const result = results.get(request);
      if (result !== undefined) return { kind: 'answered', result, isRepeated: false };
      const key = keyOf.get(request);
      const earlier = key && remembered.get(nameOf(key));
      if (!earlier) return { kind: 'running' };
      return earlier.fingerprint === key.fingerprint
        ? { kind: 'answered', result: schema.parse(earlier.answer), isRepeated: true }
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
