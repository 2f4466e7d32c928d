import {
  issueLeadReference,
  type Keys,
  type LeadProof,
  leadProofOf,
  leadReferenceOf,
  newLeadProof,
  writeOwnLead,
} from '@leadback/domain/keys';
import { type ClickParameters, type ClickTimes, type NewLead, queryParameterNames } from '@leadback/domain';
import { inAdvance } from '../pages/served-page.ts';
import { type Click, readClick, type ShownClick } from './click.ts';
import {
  clicksElsewhere,
  deleteClicks,
  type PlatformClick,
  loadClicks,
  storeClicks,
  fbpOf,
  deleteFbp,
  pixelFbp,
} from './cookies.ts';
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

/** Holds references that were issued in advance. */
export const leadReferences = (keys: { readonly reference: Keys; readonly proof: Keys }): LeadReferences => ({
  issue: inAdvance(issuedAtOnce, () => ({ reference: issueLeadReference(keys.reference), ...newLeadProof() })),
  of: (seed) => ({ reference: leadReferenceOf(keys.reference, seed), ...leadProofOf(keys.proof, seed) }),
  proofKeys: keys.proof,
});

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
