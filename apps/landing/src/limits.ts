import { hash } from 'node:crypto';
import { type AccountId, type ClickParameters, clickIdNames } from '@leadback/domain';
import { type BucketSize, networkOf, networksOf, tokenBuckets } from '@leadback/server/http';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Exchange } from './visits/exchange.ts';

/**
 * Of a visit, URL included: what proxies and content networks of the market let through. Each open connection may hold it for ten
 * seconds, so that 10,000 of them take 320 MB at most.
 */
export const headersMaxBytes = 32 * 1024;

// of a network and a page; about 300 bytes each
const leadBucketsMax = 100_000;
// the part of the limit of a network that is kept for visits of rare kinds, and what one kind may use of it
const reservedPart = 0.2;
const kindPart = 0.1;

const partOf = ({ perSecond, burst }: BucketSize, part: number): BucketSize => ({
  perSecond: perSecond * part,
  burst: Math.max(1, Math.floor(burst * part)),
});

/** A request that would leave a lead. */
type LimitedVisit = Pick<Exchange, 'page' | 'request'>;

/** What visits of one program have in common, and those of different people mostly not: the click, or the browser. */
const kindOf = ({ request }: LimitedVisit, clickParameters: ClickParameters): string => {
  const clickId = clickIdNames.map((name) => clickParameters[name]).find((value) => value !== undefined);
  const { 'user-agent': userAgent = '', 'accept-language': language = '' } = request.headers;
  return hash('sha256', clickId ?? `${userAgent}\n${language}`, 'base64url');
};

/**
 * Limits the leads that one network leaves on one page, on this instance: anybody can write leads, and each is stored. The
 * size must be generous, because many phones may share one address of their carrier. A fifth of it is kept for visits
 * whose click id, or browser if there is none, was rare lately: a script that repeats itself takes no reference of the
 * people who share its address.
 */
const leadLimiter = (size: BucketSize) => {
  const commonOf = tokenBuckets(leadBucketsMax);
  const reservedOf = tokenBuckets(leadBucketsMax);
  const kindsOf = tokenBuckets(leadBucketsMax);
  const reserved = partOf(size, reservedPart);
  const common = { perSecond: size.perSecond - reserved.perSecond, burst: Math.max(1, size.burst - reserved.burst) };
  const ofKind = partOf(reserved, kindPart);
  return (visit: LimitedVisit, readClick: () => ClickParameters): boolean => {
    const name = `${visit.page.id} ${networkOf(visit.request.ip ?? '')}`;
    if (commonOf(name, common).tryRemoveTokens(1)) return true;
    return (
      kindsOf(`${name} ${kindOf(visit, readClick())}`, ofKind).tryRemoveTokens(1) &&
      reservedOf(name, reserved).tryRemoveTokens(1)
    );
  };
};

// of pages and campaigns; about 100 bytes each
const knownMax = 50_000;
const knownForMs = 24 * 3_600_000;
const campaignBucketsMax = 20_000;
// five a minute, of the widest network that one customer of a provider may have
const newOnes = { perSecond: 5 / 60, burst: 20 };

/**
 * Limits how many campaigns that nobody else has brought one network brings to one page, on this instance: anybody can
 * invent campaigns, and a page and day has room for a limited number. Other networks can still bring them.
 */
const campaignLimiter = () => {
  const known = new LRUCache<string, true>({ max: knownMax, ttl: knownForMs, updateAgeOnGet: true });
  const bucketOf = tokenBuckets(campaignBucketsMax);
  return ({ page, request }: LimitedVisit, campaign: string | undefined): boolean => {
    if (campaign === undefined) return true;
    const name = `${page.id} ${campaign.length > 64 ? hash('sha256', campaign, 'base64url') : campaign}`;
    if (known.get(name)) return true;
    const network = networksOf(request.ip ?? '').at(-1) ?? '';
    if (!bucketOf(`${page.id} ${network}`, newOnes).tryRemoveTokens(1)) return false;
    known.set(name, true);
    return true;
  };
};

// about 300 bytes each
const visitorBucketsMax = 20_000;
// many phones may share one address of their carrier
const defaultSize = { perSecond: 0.5, burst: 30 };

// as often as twenty networks without cookies: more than the people of one carrier ask, and less than a database bears
const browsersPerNetwork = 20;

/**
 * Limits how often one network may look up leads, on this instance. A browser that proves to have left a lead is limited by
 * itself, so that nobody else of its network keeps it from its data, unless it has many clicks to do that with.
 * `ownReference`: of a lead that it has proven.
 */
const visitorLimiter = (size: BucketSize) => {
  const [ofNetwork, ofBrowsers, ofLead] = [
    tokenBuckets(visitorBucketsMax),
    tokenBuckets(visitorBucketsMax),
    tokenBuckets(visitorBucketsMax),
  ];
  const all = { perSecond: size.perSecond * browsersPerNetwork, burst: size.burst * browsersPerNetwork };
  return (request: Request, ownReference: string | undefined): boolean => {
    const network = networkOf(request.ip ?? '');
    if (ownReference === undefined) return ofNetwork(network, size).tryRemoveTokens(1);
    return ofLead(ownReference, size).tryRemoveTokens(1) && ofBrowsers(network, all).tryRemoveTokens(1);
  };
};

/** The network whose share an erasure takes: the widest that one customer of a provider may have. */
export const askingNetwork = (request: Request): string => networksOf(request.ip ?? '').at(-1) ?? '';

/**
 * Limits how often browsers of one network may ask for erasures, on this instance: one who makes many clicks has many proofs.
 * Views and lookups take nothing of it.
 */
const erasureLimiter = (size: BucketSize) => {
  const ofNetwork = tokenBuckets(visitorBucketsMax);
  return (request: Request): boolean => ofNetwork(askingNetwork(request), size).tryRemoveTokens(1);
};

const fewSize = { perSecond: 1 / 3_600, burst: 20 };

/**
 * Limits how often one network may withdraw consent in an account without the cookie, on this instance: a person has few
 * clicks, and one who collects the references of others withdraws for good.
 */
const withdrawalLimiter = (size: BucketSize) => {
  const ofAccount = tokenBuckets(visitorBucketsMax);
  return (request: Request, accountId: AccountId): boolean =>
    ofAccount(`${accountId} ${askingNetwork(request)}`, size).tryRemoveTokens(1);
};

/** How much each limit allows. */
interface Sizes {
  readonly lead: BucketSize;
  readonly visitor?: BucketSize;
  readonly erasure?: BucketSize;
  readonly withdrawal?: BucketSize;
}

/** Holds what each network has done lately, on this instance. Each limit says whether a request is within it. */
export const landingLimits = ({ lead, visitor = defaultSize, erasure = defaultSize, withdrawal = fewSize }: Sizes) => ({
  admitLead: leadLimiter(lead),
  admitCampaign: campaignLimiter(),
  admitVisitor: visitorLimiter(visitor),
  admitErasure: erasureLimiter(erasure),
  admitWithdrawal: withdrawalLimiter(withdrawal),
});
