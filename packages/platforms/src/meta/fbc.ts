import { type AttributedConversion, clickTimeOf } from '@leadback/domain';
import { dayMs } from '../span.ts';
import { webPage } from '../web-page.ts';

/** `fb.<subdomain index>.<creation time in ms>.<click or browser id>`, perhaps with the appendix of Meta's own library. */
const fbMarkShape = /^fb\.\d+\.\d+\.[^.\s]+(\.[A-Za-z0-9_-]{2,8})?$/;

const clickAgeMaxMs = 90 * dayMs;

const timeOf = (fbc: string) => Number(fbc.split('.')[2]);

/**
 * Meta's mark of the click. The `_fbc` cookie stands word for word unless there is a newer click: one of this visit, which
 * the address tells of, or a remembered one that was made after the cookie. Without a cookie the mark is built of the
 * `fbclid` (Meta's parameter builder decides likewise). Case and encoding of the click id are never touched: Meta
 * compares them.
 */
export const fbcOf = (lead: AttributedConversion['lead']): string | undefined => {
  const { clickParameters, clickTimes, landingUrl } = lead;
  const { _fbc: cookie = '' } = clickParameters;
  const fbclid = clickParameters.fbclid || webPage(landingUrl)?.searchParams.get('fbclid');
  const rememberedAt = clickTimes.fbclid?.getTime();
  const isNewer = rememberedAt !== undefined && timeOf(cookie) > rememberedAt;
  const stands = !fbclid || cookie.split('.')[3] === fbclid || isNewer;
  if (fbMarkShape.test(cookie) && stands) return cookie;
  const built = `fb.1.${clickTimeOf(lead, 'fbclid').getTime()}.${fbclid ?? ''}`;
  return fbMarkShape.test(built) ? built : undefined;
};

/** Whether the click is too old for Meta to credit it with what happened at `time`. */
export const isStaleFbc = (fbc: string, time: Date): boolean => time.getTime() - timeOf(fbc) > clickAgeMaxMs;
