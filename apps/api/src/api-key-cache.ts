import { apiKeyFinder, type FoundApiKey, noteApiKeyUse } from '@leadback/intake';
import type { Database } from '@leadback/db';
import { hashApiKey } from '@leadback/secrets';
import { LRUCache } from 'lru-cache';

export interface ApiKeyCache {
  find(key: string): Promise<FoundApiKey | undefined>;
  /** The key if it was found less than five seconds ago. Reads only memory. */
  findCached(key: string): FoundApiKey | undefined;
  /** The id of a key that has been valid on this instance. Reads only memory. */
  knownId(key: string): number | undefined;
}

// Upper limit until a revocation takes effect.
const cachedForMs = 5_000;
const keysMax = 10_000;

const hashOf = (key: string) => hashApiKey(key).toString('hex');

/**
 * Finds keys by hash and caches the results, valid or not, so that a repeated invalid key gets its response as fast as
 * a valid one. Saves the last use of a key in the background, at most once a minute.
 */
export const apiKeyCache = (pool: Database['pool'], onNoteFailed: (error: unknown) => void): ApiKeyCache => {
  const findInDatabase = apiKeyFinder(pool);
  const unknown = new LRUCache<string, true>({ max: keysMax, ttl: cachedForMs });
  const known = new LRUCache<string, FoundApiKey>({
    max: keysMax,
    ttl: cachedForMs,
    noDeleteOnStaleGet: true, // for `knownId`
    fetchMethod: async (hash) => {
      const key = await findInDatabase(hash);
      if (!key) unknown.set(hash, true);
      else if (key.isUseUnnoted) noteApiKeyUse(pool, key.id).catch(onNoteFailed);
      return key ?? undefined;
    },
  });
  return {
    async find(key) {
      const hash = hashOf(key);
      return unknown.has(hash) ? undefined : known.fetch(hash);
    },
    findCached: (key) => known.get(hashOf(key)),
    knownId: (key) => known.peek(hashOf(key), { allowStale: true })?.id,
  };
};
