import type { LandingPage } from '@leadback/db';
import {
  type ClickParameters,
  type ClickTimes,
  issueLeadReference,
  type Keys,
  leadReferenceOf,
  type NewLead,
  queryParameterNames,
} from '@leadback/domain';
import { type Click, readClick } from './click.ts';
import { clicksElsewhere, deleteClicks, type PlatformClick, loadClicks, storeClicks } from './click-cookie.ts';
import type { Exchange } from './exchange.ts';
import { fbpOf, forgetFbp, pixelFbp } from './fbp-cookie.ts';
import { type Contact, nothingEntered, type VisitForm } from './visit-form.ts';

/** Whether the visitor lets a click be kept in the browser: nobody refused, and whoever was asked agreed. */
const mayStore = (click: Click, { consent }: Pick<Contact, 'consent'>) =>
  !click.globalPrivacyControl && consent !== false;

/** What the browser keeps beyond what it has just sent. */
interface Memory {
  readonly elsewhere: readonly PlatformClick[];
  readonly fbp: string;
}

const remember = (exchange: Exchange, { clickParameters }: Click): Memory => {
  const elsewhere = clicksElsewhere(loadClicks(exchange.request), clickParameters);
  storeClicks(exchange, clickParameters, elsewhere);
  return { elsewhere, fbp: fbpOf(exchange) };
};

const forget = (exchange: Exchange): void => {
  deleteClicks(exchange);
  forgetFbp(exchange);
};

/**
 * Has the browser keep the click of a page that is only shown, unless the page is yet to ask for consent. Has it delete
 * what it keeps if it sends Global Privacy Control.
 */
export const storeShownClick = (exchange: Exchange, click: Click): void => {
  if (!mayStore(click, nothingEntered)) forget(exchange);
  else if (exchange.page.consentText === null) remember(exchange, click);
};

// The same form sent again is the same lead; what was corrected in between makes another. Cookies do not count: the
// first response may have set some.
const referenceOf = (
  keys: Keys,
  page: LandingPage,
  { clickParameters }: Click,
  form: VisitForm | undefined,
): string => {
  if (!form?.token) return issueLeadReference(keys);
  const sent = queryParameterNames.map((name) => clickParameters[name] ?? null);
  return leadReferenceOf(keys, JSON.stringify([page.id, form.token, sent, form.contact]));
};

const marksOf = (clicks: readonly PlatformClick[]): ClickParameters =>
  Object.fromEntries(clicks.flatMap(({ ids }) => ids));

const timesOf = (clicks: readonly PlatformClick[]): ClickTimes =>
  Object.fromEntries(
    clicks.flatMap(({ ids, clickedAtMs }) => ids.map(([name]) => [name, new Date(clickedAtMs).toISOString()])),
  );

/**
 * The lead of a visitor who goes on: by the form of the page, or at once where there is none. The clicks come from the
 * address, and those at other platforms from the browser's memory of earlier visits, if the visitor lets us have that.
 */
export const leadOfVisit = (referenceKeys: Keys, exchange: Exchange, form?: VisitForm): NewLead => {
  const { page, request } = exchange;
  const click = readClick(request);
  const contact = form?.contact ?? nothingEntered;
  const memory = mayStore(click, contact) ? remember(exchange, click) : undefined;
  if (!memory) forget(exchange);
  const elsewhere = memory?.elsewhere ?? [];
  // the pixel's own is kept like its other cookies: what platforms are told is decided when the event is sent
  const fbp = memory ? memory.fbp : pixelFbp(request);
  return {
    accountId: page.account.id,
    landingPageId: page.id,
    reference: referenceOf(referenceKeys, page, click, form),
    ...click,
    ...contact,
    ...(form && { referrer: form.referrer }),
    clickParameters: { ...marksOf(elsewhere), ...click.clickParameters, ...(fbp !== undefined && { _fbp: fbp }) },
    clickTimes: timesOf(elsewhere),
  };
};
