import { hash } from 'node:crypto';
import { networksOf, tokenBuckets } from '@leadback/http';
import { LRUCache } from 'lru-cache';
import type { Exchange } from './exchange.ts';

/** Whether the metrics may count a lead of this page for its campaign. */
export type AdmitCampaign = (exchange: Pick<Exchange, 'page' | 'request'>, campaign: string | undefined) => boolean;

// of pages and campaigns; about 100 bytes each
const knownMax = 50_000;
const knownForMs = 24 * 3_600_000;
const bucketsMax = 20_000;
// five a minute, of the widest network that one customer of a provider may have
const newOnes = { perSecond: 5 / 60, burst: 20 };

/**
 * Limits how many campaigns that nobody else has brought one network brings to one page, on this instance: anybody can
 * invent campaigns, and a page and day has room for a limited number. Other networks can still bring them.
 */
export const newCampaigns = (size = newOnes): AdmitCampaign => {
  const known = new LRUCache<string, true>({ max: knownMax, ttl: knownForMs, updateAgeOnGet: true });
  const bucketOf = tokenBuckets(bucketsMax);
  return ({ page, request }, campaign) => {
    if (campaign === undefined) return true;
    const name = `${page.id} ${campaign.length > 64 ? hash('sha256', campaign, 'base64url') : campaign}`;
    if (known.get(name)) return true;
    const network = networksOf(request.ip ?? '').at(-1) ?? '';
    if (!bucketOf(`${page.id} ${network}`, size).tryRemoveTokens(1)) return false;
    known.set(name, true);
    return true;
  };
};
