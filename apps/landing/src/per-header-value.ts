import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

const charactersMax = 256 * 1024;

/**
 * Caches what `compute` finds in one header, by its value. Nearly all visitors send one of a few values; the others,
 * which anybody can invent, take up to 256 KiB.
 */
export const perHeaderValue = (
  header: string,
  compute: (request: Request) => boolean,
): ((request: Request) => boolean) => {
  const known = new LRUCache<string, boolean>({ maxSize: charactersMax, sizeCalculation: (_, key) => key.length + 1 });
  return (request) => {
    const value = request.get(header) ?? '';
    const found = known.get(value);
    if (found !== undefined) return found;
    const computed = compute(request);
    known.set(value, computed);
    return computed;
  };
};
