import { hash } from 'node:crypto';
import {
  issueLeadReference,
  type Keys,
  type LeadProof,
  leadProofKeys,
  leadProofOf,
  leadReferenceKeys,
  leadReferenceOf,
  newLeadProof,
  type SecretsKeys,
  writeOwnLead,
} from '@leadback/domain/keys';
import {
  type ClickParameters,
  type ClickTimes,
  type NewLead,
  queryParameterNames,
  clickIdNames,
} from '@leadback/domain';
import { networkOf, tokenBuckets, type BucketSize, networksOf } from '@leadback/server/http';
import { LRUCache } from 'lru-cache';
import { inAdvance } from '../pages/served-page.ts';
import { type Click, readClick, type ShownClick, readShownClick } from './click.ts';
import {
  clicksElsewhere,
  deleteClicks,
  type PlatformClick,
  loadClicks,
  storeClicks,
  fbpOf,
  deleteFbp,
  pixelFbp,
} from './click-cookie.ts';
import type { Exchange } from './exchange.ts';
import { type Contact, isFreshToken, nothingEntered, type VisitForm } from './form.ts';

const issuedAtOnce = 64;

/** A reference for a lead, and what proves that the browser has left it. */
interface IssuedReference extends LeadProof {
  readonly reference: string;
}

export interface LeadReferences {
  /** A new reference and proof. */
  readonly issue: () => IssuedReference;
  /** The same for the same seed, which has a secret of the browser. */
  readonly of: (seed: string) => IssuedReference;
  /** Sign the cookies by which browsers prove their leads. */
  readonly proofKeys: Keys;
}

export const leadReferences = (secretsKeys: SecretsKeys): LeadReferences => {
  const [keys, proofKeys] = [leadReferenceKeys(secretsKeys), leadProofKeys(secretsKeys)];
  return {
    issue: inAdvance(issuedAtOnce, () => ({ reference: issueLeadReference(keys), ...newLeadProof() })),
    of: (seed) => ({ reference: leadReferenceOf(keys, seed), ...leadProofOf(proofKeys, seed) }),
    proofKeys,
  };
};

/** Whether clicks may be stored in the browser: consent was not refused, and no Global Privacy Control is sent. */
const mayStore = (click: ShownClick, { consent }: Pick<Contact, 'consent'>) =>
  !click.globalPrivacyControl && consent !== false;

/** What the browser stored on earlier visits. */
interface StoredClicks {
  readonly elsewhere: readonly PlatformClick[];
  readonly fbp: string;
}

const store = (exchange: Exchange, { clickParameters }: ShownClick): StoredClicks => {
  const elsewhere = clicksElsewhere(loadClicks(exchange), clickParameters);
  storeClicks(exchange, clickParameters, elsewhere);
  return { elsewhere, fbp: fbpOf(exchange) };
};

const deleteStored = (exchange: Exchange): void => {
  deleteClicks(exchange);
  deleteFbp(exchange);
};

/**
 * Stores the click of a page that is shown, unless the page asks for consent first. Deletes stored clicks if the
 * browser sends Global Privacy Control.
 */
export const storeShownClick = (exchange: Exchange, click: ShownClick): void => {
  if (!mayStore(click, nothingEntered)) deleteStored(exchange);
  else if (exchange.page.consentText === null) store(exchange, click);
};

// The same form sent again is the same lead; a corrected form is another one. Cookies do not count: the first response
// may have set some. Of a form that this browser was not shown lately, somebody else may know the token, and so the proof.
const referenceOf = (
  references: LeadReferences,
  { page, atMs }: Exchange,
  { clickParameters }: Click,
  form: VisitForm | undefined,
): IssuedReference => {
  if (!form?.token || !isFreshToken(form.token, atMs)) return references.issue();
  const sent = queryParameterNames.map((name) => clickParameters[name] ?? null);
  return references.of(JSON.stringify([page.id, form.token, sent, form.contact]));
};

const idsOf = (clicks: readonly PlatformClick[]): ClickParameters =>
  Object.fromEntries(clicks.flatMap(({ ids }) => ids));

const timesOf = (clicks: readonly PlatformClick[]): ClickTimes =>
  Object.fromEntries(
    clicks.flatMap(({ ids, clickedAtMs }) => ids.map(([name]) => [name, new Date(clickedAtMs).toISOString()])),
  );

/** A lead, and what the browser keeps of it. */
export interface LeftLead {
  readonly lead: NewLead;
  /** Proves that this browser has left the lead. */
  readonly cookie: string;
}

/**
 * Builds the lead of a visit: from the form of the page, or at once in direct mode. Click parameters come from the
 * URL, and those of other platforms from earlier visits, if the visitor allows it.
 */
export const leadOfVisit = (references: LeadReferences, exchange: Exchange, form?: VisitForm): LeftLead => {
  const { page } = exchange;
  const click = readClick(exchange);
  const contact = form?.contact ?? nothingEntered;
  const stored = mayStore(click, contact) ? store(exchange, click) : undefined;
  if (!stored) deleteStored(exchange);
  const elsewhere = stored?.elsewhere ?? [];
  // the pixel's `_fbp` is recorded like its other cookies: sharing is decided when the event is sent
  const fbp = stored ? stored.fbp : pixelFbp(exchange);
  const { reference, proof, hash: hashed } = referenceOf(references, exchange, click, form);
  const lead = {
    accountId: page.accountId,
    landingPageId: page.id,
    reference,
    proofHash: hashed,
    ...click,
    ...contact,
    ...(form && { referrer: form.referrer }),
    clickParameters: { ...idsOf(elsewhere), ...click.clickParameters, ...(fbp !== undefined && { _fbp: fbp }) },
    clickTimes: timesOf(elsewhere),
  };
  return { lead, cookie: writeOwnLead(references.proofKeys, { reference, pageId: page.id, proof }) };
};

/** Whether a visit may become a lead. */
export type AdmitLead = (exchange: Exchange) => boolean;

// of a network and a page; about 300 bytes each
const bucketsMax = 100_000;
// the part of the limit of a network that is kept for visits of rare kinds, and what one kind may use of it
const reservedPart = 0.2;
const kindPart = 0.1;

const partOf = ({ perSecond, burst }: BucketSize, part: number): BucketSize => ({
  perSecond: perSecond * part,
  burst: Math.max(1, Math.floor(burst * part)),
});

/** What visits of one script have in common, and those of different people mostly not: the click, or the browser. */
const kindOf = (exchange: Exchange): string => {
  const { clickParameters } = readShownClick(exchange);
  const clickId = clickIdNames.map((name) => clickParameters[name]).find((value) => value !== undefined);
  const { 'user-agent': userAgent = '', 'accept-language': language = '' } = exchange.request.headers;
  return hash('sha256', clickId ?? `${userAgent}\n${language}`, 'base64url');
};

/**
 * Limits the leads that one network leaves on one page, on this instance: anybody can write leads, and each is stored. The
 * size must be generous, because many phones may share one address of their carrier. A fifth of it is kept for visits
 * whose click id, or browser if there is none, was rare lately: a script that repeats itself takes no reference of the
 * people who share its address.
 */
export const leadLimiter = (size: BucketSize): AdmitLead => {
  const commonOf = tokenBuckets(bucketsMax);
  const reservedOf = tokenBuckets(bucketsMax);
  const kindsOf = tokenBuckets(bucketsMax);
  const reserved = partOf(size, reservedPart);
  const common = { perSecond: size.perSecond - reserved.perSecond, burst: Math.max(1, size.burst - reserved.burst) };
  const ofKind = partOf(reserved, kindPart);
  return (exchange) => {
    const name = `${exchange.page.id} ${networkOf(exchange.request.ip ?? '')}`;
    if (commonOf(name, common).tryRemoveTokens(1)) return true;
    return (
      kindsOf(`${name} ${kindOf(exchange)}`, ofKind).tryRemoveTokens(1) && reservedOf(name, reserved).tryRemoveTokens(1)
    );
  };
};

/** Whether the metrics may count a lead of this page for its campaign. */
export type AdmitCampaign = (exchange: Pick<Exchange, 'page' | 'request'>, campaign: string | undefined) => boolean;

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
export const newCampaigns = (size = newOnes): AdmitCampaign => {
  const known = new LRUCache<string, true>({ max: knownMax, ttl: knownForMs, updateAgeOnGet: true });
  const bucketOf = tokenBuckets(campaignBucketsMax);
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
