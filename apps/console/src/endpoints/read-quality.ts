import { matchKeysOf, type PlatformName } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { qualityInput, qualityReply } from '../contract/quality.ts';
import { meaningOf } from '../reason-meanings.ts';
import { scopeOf } from '../sessions/authenticate.ts';

const reasonsOf = (platform: PlatformName, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([, few], [, many]) => many - few)
    .map(([code, deliveries]) => {
      const { meaning = null, remedy = null } = meaningOf(platform, code) ?? {};
      return { code, deliveries, meaning, remedy };
    });

export const readQuality = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/quality',
  subject: 'Quality',
  summary: 'By what platforms could match conversions',
  description: 'And what would help most.',
  input: qualityInput,
  headers: nothing,
  replies: { 200: { description: 'Each platform.', body: qualityReply, example: undefined } },
  async handle({ input: { from, to }, response }, { readQuality: read }) {
    const { accountId } = scopeOf(response);
    const platforms = await read({ accountId, isTest: false }, { from, to });
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
