import { type Database, type FoundApiKey, findApiKey } from '@leadback/db';
import { hashApiKey, isWellFormedApiKey } from '@leadback/domain';
import { LRUCache } from 'lru-cache';

export type FindKey = (key: string) => Promise<FoundApiKey | undefined>;

// How long a revocation may take to be noticed here. Only keys that exist are remembered.
const rememberedForMs = 5_000;
const keysMax = 10_000;

/** Finds who a key belongs to. Keys in use are remembered for some seconds, under their hash. */
export const findKey = (pool: Database['pool']): FindKey => {
  const found = new LRUCache<string, FoundApiKey>({
    max: keysMax,
    ttl: rememberedForMs,
    fetchMethod: (hash) => findApiKey(pool, Buffer.from(hash, 'hex')),
  });
  return async (key) => (isWellFormedApiKey(key) ? found.fetch(hashApiKey(key).toString('hex')) : undefined);
};
