import { TokenBucket } from 'limiter';

export interface BucketSize {
  readonly perSecond: number;
  readonly burst: number;
}

const secondsUntilFull = (bucket: TokenBucket): number => {
  bucket.drip();
  return (bucket.bucketSize - bucket.content) / bucket.tokensPerInterval;
};

/** Drops a quarter of the buckets: those that would be full again first. A bucket that is full is like a new one. */
const dropFullest = (buckets: Map<string, TokenBucket>): void => {
  const times = Float64Array.from(buckets.values(), secondsUntilFull).toSorted();
  const latest = times[Math.floor(times.length / 4)] ?? 0;
  for (const [name, bucket] of buckets) if (secondsUntilFull(bucket) <= latest) buckets.delete(name);
};

/**
 * Returns one bucket per name, full at first. It remembers so many names, and forgets those whose buckets time has filled
 * again, or nearly: somebody who invents names cannot refill the bucket of another.
 */
export const tokenBuckets = (namesMax: number): ((name: string, size: BucketSize) => TokenBucket) => {
  const buckets = new Map<string, TokenBucket>();
  return (name, { perSecond, burst }) => {
    const known = buckets.get(name);
    if (known) return known;
    if (buckets.size >= namesMax) dropFullest(buckets);
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' });
    bucket.content = burst;
    buckets.set(name, bucket);
    return bucket;
  };
};
