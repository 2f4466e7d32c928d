import { LRUCache } from 'lru-cache';

const charactersMax = 256 * 1024;

/**
 * Caches what `compute` finds, by a text that decides it, such as a header. Nearly all visitors send one of a few; the
 * others, which anybody can invent, take up to 256 KiB.
 */
export const cachedBy = <Input>(
  textOf: (input: Input) => string,
  compute: (input: Input) => boolean,
): ((input: Input) => boolean) => {
  const known = new LRUCache<string, boolean>({
    maxSize: charactersMax,
    sizeCalculation: (_, text) => text.length + 1,
  });
  return (input) => {
    const text = textOf(input);
    const found = known.get(text);
    if (found !== undefined) return found;
    const computed = compute(input);
    known.set(text, computed);
    return computed;
  };
};
