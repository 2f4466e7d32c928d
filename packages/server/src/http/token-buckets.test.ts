import { expect, it } from 'vitest';
import { tokenBuckets } from './connections.ts';

// one token in three hours
const size = { perSecond: 0.0001, burst: 5 };

it('does not refill the bucket of a name because others were invented', () => {
  const bucketOf = tokenBuckets(1_000);
  expect(Array.from({ length: 6 }, () => bucketOf('somebody', size).tryRemoveTokens(1))).toEqual([
    ...Array<boolean>(5).fill(true),
    false,
  ]);
  for (let name = 0; name < 10_000; name += 1) expect(bucketOf(`invented ${name}`, size).tryRemoveTokens(1)).toBe(true);
  expect(bucketOf('somebody', size).tryRemoveTokens(1)).toBe(false);
});

it('forgets names whose buckets are nearly full, and keeps no more than it may', () => {
  const bucketOf = tokenBuckets(100);
  for (let name = 0; name < 99; name += 1) bucketOf(`emptied ${name}`, size).tryRemoveTokens(5);
  const first = bucketOf('used once', size);
  first.tryRemoveTokens(1);
  bucketOf('another', size);
  expect(bucketOf('used once', size)).not.toBe(first);
});
