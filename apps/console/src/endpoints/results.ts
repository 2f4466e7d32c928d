import { dayAfter, matchKeysOf } from '@leadback/domain';
import { readFirstSteps } from '@leadback/core/accounts/first-steps';
import { readOverview } from '@leadback/core/metrics/overview';
import { readFunnels } from '@leadback/core/quality/funnel';
import { readQuality } from '@leadback/core/quality/quality';
import { pageUrls, readDomainsOfPages } from '@leadback/core/domains/urls';
import { isOfThisMachine } from '@leadback/core/pages/pages';
import { nothing } from '@leadback/server/http';
import {
  firstStepsReply,
  funnelsReply,
  overviewInput,
  overviewReply,
  qualityReply,
  rangeInput,
} from '../contract/results.ts';
import { ofAccount } from './guard.ts';

const reasonsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([, few], [, many]) => many - few)
    .map(([code, deliveries]) => ({ code, deliveries }));

// so that what is read stays small for every account
const funnelDaysMax = 92;

export const resultEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/overview',
    input: overviewInput,
    reply: overviewReply,
    handle: ({ input: { from, to, by, page, ...clicks }, scope }, { pool }) =>
      readOverview(pool, scope, { from, to, by, page, clicks }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/first-steps',
    input: nothing,
    reply: firstStepsReply,
    async handle({ scope }, { pool, landingUrl }) {
      const { page, ...others } = await readFirstSteps(pool, scope);
      if (page === null) return { page, ...others };
      const [url] = pageUrls(landingUrl, await readDomainsOfPages(pool, scope.accountId), page);
      return { page: { id: page.id, url, isOn: page.isOn }, ...others };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/quality',
    input: rangeInput,
    reply: qualityReply,
    async handle({ input, scope: { accountId } }, { pool, landingUrl }) {
      // nobody's address is known then, and nothing can be done about it
      const isLocal = isOfThisMachine(landingUrl);
      const platforms = await readQuality(pool, { accountId, isTest: false }, input);
      const described = platforms.map(({ platform, conversions, delivered, skipped, failed, keys, advice }) => ({
        platform,
        conversions,
        delivered,
        skipped: reasonsOf(skipped),
        failed: reasonsOf(failed),
        keys: matchKeysOf(platform).flatMap((key) => (key in keys ? [{ key, share: keys[key] ?? 0 }] : [])),
        advice: advice
          .filter(({ name }) => !(isLocal && name === 'ipAndUserAgent'))
          .map(({ name, affects }) => ({ name, affects })),
      }));
      return { platforms: described };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/funnels',
    input: rangeInput,
    reply: funnelsReply,
    async handle({ input: { from: asked, to }, scope: { accountId } }, { pool }) {
      const earliest = dayAfter(to, 1 - funnelDaysMax);
      const from = asked < earliest ? earliest : asked;
      const funnels = await readFunnels(pool, { accountId, isTest: false }, { from, to });
      return { from, connections: funnels.map(({ days, ...connection }) => ({ ...connection, days: [...days] })) };
    },
  }),
];
