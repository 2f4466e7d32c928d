import { networkOf, tokenBuckets } from '@leadback/http';
import type { Request } from 'express';

/** Whether a request for a visitor's page may read the database. */
export type AdmitVisitor = (request: Request) => boolean;

// about 300 bytes each
const bucketsMax = 20_000;
// many phones may share one address of their carrier
const defaultSize = { perSecond: 0.5, burst: 30 };

/** Limits how often one network may look up leads, on this instance. */
export const visitorLimiter = (size = defaultSize): AdmitVisitor => {
  const bucketOf = tokenBuckets(bucketsMax);
  return (request) => bucketOf(networkOf(request.ip ?? ''), size).tryRemoveTokens(1);
};
