import {
  type ClickParameters,
  type Attributed,
  type AttributedConversion,
  type AttributedLead,
  clickIdIn,
  clickTimeOf,
  eventTooOld,
  matchKeySet,
  type AttributedAdjustment,
  eventAgeMaxMs,
  type SkipReason,
} from '@leadback/domain';
import {
  browserFacts,
  hashedForms,
  hashedIdentifier,
  moneyOf,
  pageAddress,
  plainEmail,
  productsOf,
  siteAddress,
} from '../event-parts.ts';
import { phoneNumberForms } from '../phone-number.ts';
import { knownFields, type PlatformEvent, type Prepared } from '../definition.ts';
import { z } from 'zod';
import { dayMs } from '../exchange.ts';
import type { GoogleSettings } from './access.ts';

// numbers alone, unless somebody wrote into the link
const gadShape = /^\d{1,30}$/;

/** At most one of them counts: the first. */
const googleClickIds = ['gclid', 'gbraid', 'wbraid'] as const;
type GoogleClickId = (typeof googleClickIds)[number];

/** The first known of Google's click ids. */
const clickIdOf = (marks: ClickParameters): GoogleClickId | undefined =>
  googleClickIds.find((name) => clickIdIn(marks, name) !== undefined);

/** The click, by exactly one of Google's ids. */
const adIdentifiersOf = (marks: ClickParameters): Partial<Record<GoogleClickId, string>> | undefined => {
  const name = clickIdOf(marks);
  return name === undefined ? undefined : { [name]: clickIdIn(marks, name) };
};

// Google advises at most 5 KB; base64 adds a third
const attributesMax = 3_000;

/**
 * The visit in JSON and base64, by which Google looks for the click where it has no `gclid` ("About session_attributes", help article
 * 16194756). Undefined if the visit did not come from an ad of Google: without both `gad_*` parameters, nothing is found.
 */
const sessionAttributesOf = ({ clickParameters, landingUrl, referrer, userAgent, ...lead }: Attributed['lead']) => {
  const { gad_source: source, gad_campaignid: campaign } = clickParameters;
  if (source === undefined || campaign === undefined || !gadShape.test(source) || !gadShape.test(campaign))
    return undefined;
  const visit = knownFields({
    gad_source: source,
    gad_campaignid: campaign,
    session_start_time_usec: String(lead.createdAt.getTime() * 1_000),
    landing_page_user_agent: browserFacts({ ...lead, clickParameters, landingUrl, referrer, userAgent }).userAgent,
  });
  const pages = knownFields({
    landing_page_url: pageAddress(landingUrl, googleClickIds),
    landing_page_referrer: siteAddress(referrer),
  });
  const [whole, short] = [JSON.stringify({ ...visit, ...pages }), JSON.stringify(visit)];
  const text = whole.length <= attributesMax ? whole : short;
  return text.length <= attributesMax ? Buffer.from(text).toString('base64') : undefined;
};

const sentSchema = z.object({ adIdentifiers: z.record(z.string(), z.unknown()) });

/** Whether an event has a click id, and so may be sent without the person. */
export const hasClickId = (event: PlatformEvent): boolean => {
  const { data } = sentSchema.safeParse(event);
  return googleClickIds.some((name) => data?.adIdentifiers[name] !== undefined);
};

/** The click, and what Google looks for it by. The IP address of the visitor is left out: see `googleUserData`. */
const adFactsOf = (clickIds: ReturnType<typeof adIdentifiersOf>, lead: Attributed['lead']) => {
  const { userAgent } = browserFacts(lead);
  const facts = knownFields({
    ...clickIds,
    sessionAttributes: clickIds?.gclid === undefined ? sessionAttributesOf(lead) : undefined,
    landingPageDeviceInfo: userAgent === undefined ? undefined : { userAgent },
  });
  return Object.keys(facts).length === 0 ? undefined : facts;
};

const isGmail = (domain: string | undefined) => domain === 'gmail.com' || domain === 'googlemail.com';

/**
 * Trimmed and lower-cased; for Gmail without the dots and +suffix that it ignores ("formatting" of the Data Manager
 * API).
 */
const googleEmail = (written: string): string | undefined => {
  const email = plainEmail(written);
  const [user = '', domain] = email?.split('@') ?? [];
  if (!isGmail(domain)) return email;
  const mailbox = user.replace(/\+.*$/, '').replaceAll('.', '');
  return mailbox === '' ? undefined : `${mailbox}@${domain}`;
};

interface GoogleUserData {
  readonly userIdentifiers: readonly Readonly<Record<string, string>>[];
}

/**
 * The client's email and phone number, hashed. Google accepts a name only with region and postal code, which are not
 * known; the IP address is never sent, because Google's policies forbid it in parts of the world.
 */
export const googleUserData = ({ client, accountCountry }: Attributed): GoogleUserData | undefined => {
  const emailAddress = hashedIdentifier(client.email, googleEmail);
  const phoneNumbers = hashedForms(client.phoneNumber, (written) => phoneNumberForms(written, accountCountry));
  const userIdentifiers = [
    ...(emailAddress === undefined ? [] : [{ emailAddress }]),
    ...phoneNumbers.map((phoneNumber) => ({ phoneNumber })),
  ];
  return userIdentifiers.length === 0 ? undefined : { userIdentifiers };
};

const clickAgeMaxMs = 90 * dayMs;

/**
 * `Consent` of google/ads/datamanager/v1/consent.proto; left out if the visitor was not asked. If only personalisation
 * was refused, `adUserData` stays unspecified: Google discards events that deny it.
 */
const consentOf = ({ sharing }: Attributed['lead']) => {
  if (sharing === 'granted') return { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' };
  if (sharing === 'agreed') return { adUserData: 'CONSENT_GRANTED' };
  if (sharing === 'agreed_unpersonalised')
    return { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' };
  return sharing === 'unpersonalised' ? { adPersonalization: 'CONSENT_DENIED' } : undefined;
};

const skipped = (reason: SkipReason): Prepared => ({ kind: 'skipped', reason });

const isStaleClick = ({ lead }: Attributed, nowMs: number) => {
  const clickId = clickIdOf(lead.clickParameters);
  return clickId !== undefined && nowMs - clickTimeOf(lead, clickId).getTime() > clickAgeMaxMs;
};

/** An event with an invented click, to check whether Google would accept events. */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  transactionId: `leadback-check-${nowMs}`,
  eventTimestamp: new Date(nowMs).toISOString(),
  eventSource: 'WEB',
  conversionValue: 0,
  currency: 'USD',
  adIdentifiers: { gclid: 'leadback-check' },
});

const keysOf = (clickIds: ReturnType<typeof adIdentifiersOf>, userData: GoogleUserData | undefined) => {
  const has = (name: string) => userData?.userIdentifiers.some((identifier) => name in identifier) === true;
  return matchKeySet({ ...clickIds, email: has('emailAddress'), phone: has('phoneNumber') });
};

/** `UserProperties` of google/ads/datamanager/v1/user_properties.proto. */
const userPropertiesOf = (about: AttributedConversion | AttributedLead) =>
  about.kind === 'lead' || about.isNewCustomer === null
    ? undefined
    : { customerType: about.isNewCustomer ? 'NEW' : 'RETURNING' };

/** `CartData` of google/ads/datamanager/v1/cart_data.proto: the ids are those of the products in Merchant Center. */
const cartDataOf = (about: AttributedConversion | AttributedLead) => {
  const products = productsOf(about);
  return (
    products && {
      items: products.map(({ id, quantity, price }) =>
        knownFields({ merchantProductId: id, quantity: String(quantity), unitPrice: price }),
      ),
    }
  );
};

/** Builds `Event` of google/ads/datamanager/v1/event.proto. */
export const googleEvent = (
  about: AttributedConversion | AttributedLead,
  { conversionActionId }: Pick<GoogleSettings, 'conversionActionId'>,
  nowMs: number,
): Prepared => {
  // Google's only mark for an opt-out (Global Privacy Control) makes it discard the event
  if (about.lead.sharing === 'opted_out') return skipped('consent');

  const adIdentifiers = adIdentifiersOf(about.lead.clickParameters);
  // a gbraid or wbraid stands for many people by design; Google rejects user data beside it
  const isAggregate = adIdentifiers !== undefined && adIdentifiers.gclid === undefined;
  const userData = isAggregate ? undefined : googleUserData(about);

  if (adIdentifiers === undefined && userData === undefined) return skipped('no_match_keys');
  if (userData === undefined && isStaleClick(about, nowMs)) return skipped(eventTooOld);

  const money = moneyOf(about);
  return {
    kind: 'event',
    keys: keysOf(adIdentifiers, userData),
    event: knownFields({
      destinationReferences: [conversionActionId],
      transactionId: about.eventId,
      eventTimestamp: about.occurredAt.toISOString(),
      eventSource: 'WEB',
      conversionValue: money?.value,
      currency: money?.currency,
      adIdentifiers: adFactsOf(adIdentifiers, about.lead),
      userData,
      cartData: cartDataOf(about),
      userProperties: userPropertiesOf(about),
      consent: consentOf(about.lead),
    }),
  };
};

const countKept = 'count kept: Google sets the value of the conversion to 0 and still counts it';

/**
 * Builds the event of the conversion once more, with another value: Google overwrites the value of a conversion with the
 * same transaction id, and counts it once. There is no event that takes a conversion back.
 */
const adjustmentEvent = (
  { kind, amount, conversion }: AttributedAdjustment,
  settings: Parameters<typeof googleEvent>[1],
  nowMs: number,
): Prepared => {
  // the event has the time of the conversion
  if (nowMs - conversion.occurredAt.getTime() > eventAgeMaxMs('google'))
    return { kind: 'skipped', reason: eventTooOld };
  const prepared = googleEvent({ ...conversion, amount }, settings, nowMs);
  return kind === 'retract' && prepared.kind === 'event' ? { ...prepared, note: countKept } : prepared;
};

/** Google knows a transaction id within a conversion action. In another one, the adjustment would be one more conversion. */
export const googleAdjustment = {
  event: adjustmentEvent,
  overwrite: true,
};
