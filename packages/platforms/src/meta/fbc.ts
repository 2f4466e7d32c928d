import { type Attributed, clickTimeOf } from '@leadback/domain';
import { dayMs } from '../span.ts';
import { webPage } from '../web-page.ts';

/**
 * `fb.<subdomain index>.<creation time in ms>.<click or browser id>`, optionally with the appendix of Meta's own
 * library.
 */
const fbMarkShape = /^fb\.\d+\.\d+\.[^.\s]+(\.[A-Za-z0-9_-]{2,8})?$/;

const clickAgeMaxMs = 90 * dayMs;

const timeOf = (fbc: string) => Number(fbc.split('.')[2]);

/**
 * Meta's click parameter. The `_fbc` cookie is used unchanged unless there is a newer click: one of this visit, in the
 * URL, or a remembered one made after the cookie. Without a cookie it is built from the `fbclid`, as in Meta's
 * parameter builder. Case and encoding of the click id are kept, because Meta compares them.
 */
export const fbcOf = (lead: Attributed['lead']): string | undefined => {
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

/** Whether the click is too old for Meta to attribute an event at `time` to it. */
export const isStaleFbc = (fbc: string, time: Date): boolean => time.getTime() - timeOf(fbc) > clickAgeMaxMs;
