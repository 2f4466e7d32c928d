import { Conversion } from '@leadback/db';
import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, type Reply } from './given-api.ts';
import { givenBatchPartner, order } from './given-batches.ts';

const many = (count: number) => Array.from({ length: count }, () => order());

/** `r` and `t` of the header `RateLimit`. */
const quotaOf = ({ headers }: Reply) => {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { left: Number(left), seconds: Number(seconds) };
};

describe('the rate of batches', async () => {
  const api = await shared(givenApi());

  it.each(['', '?dryRun=true'])('takes a token for each item (%s)', async (query) => {
    const partner = await givenBatchPartner(api, { rateLimit: 1_000 });
    const { left, seconds } = quotaOf(await partner.postConversions(many(500), { query }));
    // the token of the request itself may be back already when the others are taken
    expect(left).toBeOneOf([1_500, 1_501]);
    expect(seconds).toBe(1);
  });

  it('lets a batch overdraw the bucket, and refuses the next requests until the debt is paid', async () => {
    const partner = await givenBatchPartner(api, { rateLimit: 1 });
    const reply = await partner.postConversions(many(120));
    expect([reply.status, quotaOf(reply)]).toEqual([200, { left: 0, seconds: 120 }]);
    const refused = [await partner.postConversions(many(1)), await partner.send('/client/conversion', order())];
    for (const next of refused) {
      expect([next.status, next.headers.get('leadback-error')]).toEqual([429, 'rate-limited']);
      const seconds = Number(next.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(60);
      expect(seconds).toBeLessThanOrEqual(119);
      expect(next.body).toEqual({
        message: `more than 1 requests a second with this key; try again in ${seconds} s`,
      });
    }
    expect(await api.database.em().count(Conversion, { account: partner.account.id })).toBe(120);
  });

  it('lets only one of several concurrent batches overdraw the bucket', async () => {
    const partner = await givenBatchPartner(api, { rateLimit: 5 });
    const replies = await Promise.all(Array.from({ length: 10 }, () => partner.postConversions(many(300))));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(9);
  });
});
