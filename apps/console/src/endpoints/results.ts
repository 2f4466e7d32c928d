import { readOverview } from '@leadback/core/metrics/overview';
import { readQuality } from '@leadback/core/quality/quality';
import { matchKeysOf, type PlatformName } from '@leadback/domain';
import { overviewInput, overviewReply, qualityInput, qualityReply } from '../contract/results.ts';
import { meaningOf } from '../reason-meanings.ts';
import { scopeOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

export const getOverview = endpoint({
  method: 'get',
  path: '/accounts/:account/overview',
  input: overviewInput,
  replies: { 200: { body: overviewReply } },
  handle: async ({ input, response }, { pool }) => ({
    status: 200,
    body: await readOverview(pool, scopeOf(response), input),
  }),
});

const reasonsOf = (platform: PlatformName, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([, few], [, many]) => many - few)
    .map(([code, deliveries]) => {
      const { meaning = null, remedy = null } = meaningOf(platform, code) ?? {};
      return { code, deliveries, meaning, remedy };
    });

export const getQuality = endpoint({
  method: 'get',
  path: '/accounts/:account/quality',
  input: qualityInput,
  replies: { 200: { body: qualityReply } },
  async handle({ input: { from, to }, response }, { pool }) {
    const { accountId } = scopeOf(response);
    const platforms = await readQuality(pool, { accountId, isTest: false }, { from, to });
    const described = platforms.map(({ platform, conversions, delivered, skipped, failed, keys, advice }) => ({
      platform,
      conversions,
      delivered,
      skipped: reasonsOf(platform, skipped),
      failed: reasonsOf(platform, failed),
      keys: matchKeysOf(platform).flatMap((key) => (key in keys ? [{ key, share: keys[key] ?? 0 }] : [])),
      advice: advice.map(({ name, affects }) => ({ name, affects })),
    }));
    return { status: 200, body: { platforms: described } };
  },
});
