import { randomInt } from 'node:crypto';
import { issueApiKey } from '@leadback/domain/keys';
import { givenApiKey, givenDatabase } from '@leadback/testing';
import { expect, it } from 'vitest';
import { apiKeyCache } from '../src/authenticate.ts';

// `KEY_TRIES=10000 pnpm exec vitest run apps/api/test/key-timing.test.ts`
const triesOfEach = Number(process.env['KEY_TRIES'] ?? 500);

interface Try {
  readonly isSimilar: boolean;
  readonly ms: number;
}

/** Similar to a live key: as somebody would try who has read all but its last characters. */
const keyLike = (start: string): string => start.slice(0, 30) + issueApiKey({ isTest: false }).slice(30);

/** How often a similar key took longer than a random one, among all pairs: a half if times tell nothing. */
const shareLonger = (tries: readonly Try[]): number => {
  const ordered = tries.toSorted((one, other) => one.ms - other.ms);
  let randomBefore = 0;
  let longer = 0;
  for (const { isSimilar } of ordered) {
    if (isSimilar) longer += randomBefore;
    else randomBefore += 1;
  }
  return longer / triesOfEach ** 2;
};

it('takes as long to refuse a key that is nearly a live one as any other', async () => {
  await using database = await givenDatabase();
  const live = await givenApiKey(database.em());
  const keys = apiKeyCache(database.pool, () => {});

  const tries: Try[] = [];
  const left = { similar: triesOfEach, random: triesOfEach };
  while (left.similar + left.random > 0) {
    // in random order, so that nothing else on the machine slows down one of them more often
    const isSimilar = randomInt(left.similar + left.random) < left.similar;
    left[isSimilar ? 'similar' : 'random'] -= 1;
    const key = keyLike(isSimilar ? live : issueApiKey({ isTest: false }));
    const start = performance.now();
    expect(await keys.find(key)).toBeUndefined();
    tries.push({ isSimilar, ms: performance.now() - start });
  }

  // of the share, if times tell nothing (Mann and Whitney); five of them come by chance once in two million runs
  const deviation = Math.sqrt((2 * triesOfEach + 1) / (12 * triesOfEach ** 2));
  expect(Math.abs(shareLonger(tries) - 0.5)).toBeLessThan(5 * deviation);
});
