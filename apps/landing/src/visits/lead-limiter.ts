import { hash } from 'node:crypto';
import { clickIdNames } from '@leadback/domain';
import { networkOf, tokenBuckets, type BucketSize } from '@leadback/http';
import { readShownClick } from './click.ts';
import type { Exchange } from './exchange.ts';

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
