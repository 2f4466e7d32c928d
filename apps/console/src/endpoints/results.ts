import { matchKeysOf, type PlatformName } from '@leadback/domain';
import { readOverview } from '@leadback/core/metrics/overview';
import { readQuality } from '@leadback/core/quality/quality';
import { overviewInput, overviewReply, qualityReply, rangeInput } from '../contract/results.ts';
import { meaningOf } from '../reason-meanings.ts';
import { ofAccount } from './guard.ts';

const reasonsOf = (platform: PlatformName, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([, few], [, many]) => many - few)
    .map(([code, deliveries]) => ({ code, deliveries, ...meaningOf(platform, code) }));

export const resultEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/overview',
    input: overviewInput,
    reply: overviewReply,
    handle: ({ input, scope }, { pool }) => readOverview(pool, scope, input),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/quality',
    input: rangeInput,
    reply: qualityReply,
    async handle({ input, scope: { accountId } }, { pool }) {
      const platforms = await readQuality(pool, { accountId, isTest: false }, input);
      const described = platforms.map(({ platform, conversions, delivered, skipped, failed, keys, advice }) => ({
        platform,
        conversions,
        delivered,
        skipped: reasonsOf(platform, skipped),
        failed: reasonsOf(platform, failed),
        keys: matchKeysOf(platform).flatMap((key) => (key in keys ? [{ key, share: keys[key] ?? 0 }] : [])),
        advice: advice.map(({ name, affects }) => ({ name, affects })),
      }));
      return { platforms: described };
    },
  }),
];
