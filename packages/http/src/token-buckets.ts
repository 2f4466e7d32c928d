import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';

export interface BucketSize {
  readonly perSecond: number;
  readonly burst: number;
}

/** Returns one bucket per name, full at first. The least recently used buckets are dropped and start full again. */
export const tokenBuckets = (namesMax: number): ((name: string, size: BucketSize) => TokenBucket) => {
  const buckets = new LRUCache<string, TokenBucket>({ max: namesMax });
  return (name, { perSecond, burst }) => {
    const known = buckets.get(name);
    if (known) return known;
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' });
    bucket.content = burst;
    buckets.set(name, bucket);
    return bucket;
  };
};
