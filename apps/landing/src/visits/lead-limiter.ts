import { networkOf, tokenBuckets, type BucketSize } from '@leadback/http';
import type { Exchange } from './exchange.ts';

/** Whether a visit may become a lead. */
export type AdmitLead = (exchange: Pick<Exchange, 'page' | 'request'>) => boolean;

// of a network and a page; about 300 bytes each
const bucketsMax = 100_000;

/**
 * Limits the leads that one network leaves on one page, on this instance: anybody can write leads, and each is stored. The
 * size must be generous, because many phones may share one address of their carrier.
 */
export const leadLimiter = (size: BucketSize): AdmitLead => {
  const bucketOf = tokenBuckets(bucketsMax);
  return ({ page, request }) => bucketOf(`${page.id} ${networkOf(request.ip ?? '')}`, size).tryRemoveTokens(1);
};
