import { apiKeyFinder, type Database, type FoundApiKey, noteApiKeyUse } from '@leadback/db';
import { hashApiKey } from '@leadback/domain';
import { LRUCache } from 'lru-cache';

/** Who the keys belong to. */
export interface ApiKeyCache {
  find(key: string): Promise<FoundApiKey | undefined>;
  /** Whether this instance has known the key as a valid one. Costs nothing. */
  hasKnown(key: string): boolean;
}

// How long a revocation may take to be noticed here.
const rememberedForMs = 5_000;
const keysMax = 10_000;

const hashOf = (key: string) => hashApiKey(key).toString('hex');

/**
 * Finds keys by their hash, and remembers for some seconds what it found, valid or not: a wrong key that is sent again is
 * answered as fast as a right one. That a key is in use is written down on the side, at most once a minute.
 */
export const apiKeyCache = (pool: Database['pool'], onNoteFailed: (error: unknown) => void): ApiKeyCache => {
  const findInDatabase = apiKeyFinder(pool);
  const unknown = new LRUCache<string, true>({ max: keysMax, ttl: rememberedForMs });
  const known = new LRUCache<string, FoundApiKey>({
    max: keysMax,
    ttl: rememberedForMs,
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
    hasKnown: (key) => known.peek(hashOf(key), { allowStale: true }) !== undefined,
  };
};
