import { LRUCache } from 'lru-cache';

const charactersMax = 256 * 1024;

/**
 * Caches what `compute` finds, by a key that decides it, such as a header. Nearly all visitors send one of a few; the
 * others, which anybody can invent, take up to 256 KiB.
 */
export const cachedBy = (): ((key: string, compute: () => boolean) => boolean) => {
  const known = new LRUCache<string, boolean>({
    maxSize: charactersMax,
    sizeCalculation: (_, key) => key.length + 1,
  });
  return (key, compute) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = compute();
    known.set(key, computed);
    return computed;
  };
};
