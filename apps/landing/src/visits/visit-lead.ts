import type { LandingPage } from '@leadback/db';
import { issueLeadReference, type Keys, leadReferenceOf, type NewLead } from '@leadback/domain';
import { type Click, readClick } from './click.ts';
import { type Exchange, forgetClick, hasClickId, recallClick, rememberClick } from './remembered-click.ts';
import { type Contact, nothingEntered, type VisitForm } from './visit-form.ts';

/** Whether the visitor lets a click be kept in the browser: nobody refused, and whoever was asked agreed. */
const mayRemember = (click: Click, { consent }: Pick<Contact, 'consent'>) =>
  !click.globalPrivacyControl && consent !== false;

/** Has the browser keep the click of a page that is only shown, unless the page is yet to ask for consent. */
export const rememberShownClick = (exchange: Exchange, click: Click): void => {
  if (exchange.page.consentText === null && mayRemember(click, nothingEntered))
    rememberClick(exchange, click.clickMarks);
};

// The same form sent again is the same lead; what was corrected in between makes another.
const referenceOf = (keys: Keys, page: LandingPage, { clickMarks }: Click, form: VisitForm | undefined): string =>
  form?.token
    ? leadReferenceOf(keys, JSON.stringify([page.id, form.token, clickMarks, form.contact]))
    : issueLeadReference(keys);

/**
 * The lead of a visitor who goes on: by the form of the page, or at once where there is none. The click comes from the
 * address, else from the browser's memory of an earlier visit, where the visitor lets us have that.
 */
export const leadOfVisit = (referenceKeys: Keys, exchange: Exchange, form?: VisitForm): NewLead => {
  const { page, request } = exchange;
  const click = readClick(request);
  const contact = form?.contact ?? nothingEntered;
  const isAllowed = mayRemember(click, contact);
  if (isAllowed) rememberClick(exchange, click.clickMarks);
  else forgetClick(exchange);
  const earlier = isAllowed && !hasClickId(click.clickMarks) ? recallClick(request) : undefined;
  return {
    accountId: page.account.id,
    landingPageId: page.id,
    reference: referenceOf(referenceKeys, page, click, form),
    ...click,
    ...contact,
    ...(form && { referrer: form.referrer }),
    clickMarks: { ...earlier?.clickMarks, ...click.clickMarks },
    clickedAt: earlier?.clickedAt ?? null,
  };
};
