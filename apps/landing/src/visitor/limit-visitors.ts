import { networkOf, tokenBuckets } from '@leadback/http';
import type { Request } from 'express';

/** Whether a request for a visitor's page may read the database. `ownReference`: of a lead that its browser has proven. */
export type AdmitVisitor = (request: Request, ownReference: string | undefined) => boolean;

// about 300 bytes each
const bucketsMax = 20_000;
// many phones may share one address of their carrier
const defaultSize = { perSecond: 0.5, burst: 30 };

/**
 * Limits how often one network may look up leads, on this instance. A browser that proves to have left a lead is limited by
 * itself, so that nobody else of its network keeps it from its data.
 */
export const visitorLimiter = (size = defaultSize): AdmitVisitor => {
  const [ofNetwork, ofLead] = [tokenBuckets(bucketsMax), tokenBuckets(bucketsMax)];
  return (request, ownReference) => {
    const bucket =
      ownReference === undefined ? ofNetwork(networkOf(request.ip ?? ''), size) : ofLead(ownReference, size);
    return bucket.tryRemoveTokens(1);
  };
};
