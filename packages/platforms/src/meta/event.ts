import {
  isNobodysEmail,
  type Attributed,
  clickIdIn,
  clickTimeOf,
  fbpShape,
  type AttributedConversion,
  type AttributedLead,
  isLimited,
  matchKeySet,
  type AttributedAdjustment,
  type SkipReason,
} from '@leadback/domain';
import { dayMs } from '../exchange.ts';
import {
  pageAddress,
  siteAddress,
  browserFacts,
  givenExternalId,
  ownExternalId,
  hasGivenExternalId,
  unixSeconds,
  moneyOf,
  productsOf,
  hashedName,
  hashedForms,
  hashedIdentifier,
  sha256,
} from '../event-parts.ts';
import { splitName } from '../full-name.ts';
import { knownFields, type PlatformEvent, type Prepared, notSupported } from '../definition.ts';
import { phoneNumberCountry, phoneNumberForms } from '../phone-number.ts';
import type { MetaSettings } from './settings.ts';

const ascii = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** Trimmed and lower-cased, with dots and +suffix; ASCII only, as in Meta's own libraries. */
const metaEmail = (written: string): string | undefined => {
  const email = written.trim().toLowerCase();
  return ascii.test(email) && !isNobodysEmail(email) ? email : undefined;
};

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
  const { clickParameters, clickTimes } = lead;
  const { _fbc: cookie = '' } = clickParameters;
  const fbclid = clickIdIn(clickParameters, 'fbclid');
  const rememberedAt = clickTimes.fbclid?.getTime();
  const isNewer = rememberedAt !== undefined && timeOf(cookie) > rememberedAt;
  const stands = !fbclid || cookie.split('.')[3] === fbclid || isNewer;
  if (fbMarkShape.test(cookie) && stands) return cookie;
  const built = `fb.1.${clickTimeOf(lead, 'fbclid').getTime()}.${fbclid ?? ''}`;
  return fbMarkShape.test(built) ? built : undefined;
};

/** Whether the click is too old for Meta to attribute an event at `time` to it. */
const isStaleFbc = (fbc: string, time: Date): boolean => time.getTime() - timeOf(fbc) > clickAgeMaxMs;

const listOf = (value: string | undefined) => (value === undefined ? undefined : [value]);

const freshFbc = ({ lead, occurredAt }: Attributed) => {
  const fbc = fbcOf(lead);
  return fbc !== undefined && !isStaleFbc(fbc, occurredAt) ? fbc : undefined;
};

/**
 * Meta's "customer information parameters": values in a list are hashed, all others must be unhashed. `undefined` if
 * Meta could match no person. The client id of this installation is sent as `external_id` if the account has none, but
 * does not count for matching, because no pixel ever reported it to Meta.
 */
export const metaUserData = (event: Attributed): Readonly<Record<string, unknown>> | undefined => {
  const { client, lead, accountCountry } = event;
  const name = splitName(client.name);
  const em = hashedIdentifier(client.email, metaEmail);
  const ph = hashedForms(client.phoneNumber, (written) =>
    phoneNumberForms(written, accountCountry).map((e164) => e164.slice(1)),
  );
  const givenId = givenExternalId(client);
  const fbc = freshFbc(event);
  const { _fbp: browser = '' } = lead.clickParameters;
  // a cookie of another form was not set by Meta
  const fbp = fbpShape.test(browser) ? browser : undefined;
  const { ip, userAgent } = browserFacts(lead);

  if (!(em ?? ph[0] ?? givenId ?? fbc ?? fbp ?? (ip && userAgent))) return undefined;
  return knownFields({
    em: listOf(em),
    ph: ph.length > 0 ? ph : undefined,
    fn: listOf(hashedName(name.first)),
    ln: listOf(hashedName(name.rest)),
    country: listOf(hashedName(phoneNumberCountry(client.phoneNumber, accountCountry))),
    external_id: listOf(givenId ?? ownExternalId(event)),
    client_ip_address: ip,
    client_user_agent: userAgent,
    fbc,
    fbp,
  });
};

const skipped = (reason: SkipReason): Prepared => ({ kind: 'skipped', reason });

/** A `website` event requires both page and browser; other sources require neither. */
const source = (lead: Attributed['lead'], wanted: MetaSettings['actionSource']) => {
  if (wanted !== undefined && wanted !== 'website') return { action_source: wanted };
  const page = pageAddress(lead.landingUrl, ['fbclid']);
  return page !== undefined && browserFacts(lead).userAgent !== undefined
    ? knownFields({ action_source: 'website', event_source_url: page, referrer_url: siteAddress(lead.referrer) })
    : { action_source: 'system_generated' };
};

// "Data processing options": limited data use; Meta determines the location
const limits = {
  opt_out: true,
  data_processing_options: ['LDU'],
  data_processing_options_country: 0,
  data_processing_options_state: 0,
};

/** An event without personal data, to check whether Meta would accept events. */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  event_name: 'LeadbackCheck',
  event_time: unixSeconds(new Date(nowMs)),
  event_id: `leadback-check-${nowMs}`,
  action_source: 'system_generated',
  user_data: { external_id: [sha256('leadback-check')] },
});

const keysOf = ({ client }: Attributed, userData: Readonly<Record<string, unknown>>) =>
  matchKeySet({
    fbclid: userData['fbc'],
    email: userData['em'],
    phone: userData['ph'],
    externalId: hasGivenExternalId(client),
    ipAndUserAgent: userData['client_ip_address'] !== undefined && userData['client_user_agent'] !== undefined,
    fbp: userData['fbp'],
  });

/** What is known of a sale besides its worth ("custom data" and "server event" parameters). */
const factsOf = (about: AttributedConversion) => {
  const products = productsOf(about);
  const { isNewCustomer } = about;
  return {
    ...(products && {
      content_type: 'product',
      contents: products.map(({ id, quantity, price }) => knownFields({ id, quantity, item_price: price })),
    }),
    ...(isNewCustomer !== null && {
      customer_segmentation: isNewCustomer ? 'new_customer_to_business' : 'existing_customer_to_business',
    }),
  };
};

/** Builds an event of the Conversions API ("server event", "customer information" and "custom data" parameters). */
export const metaEvent = (
  about: AttributedConversion | AttributedLead,
  { eventName, actionSource }: Pick<MetaSettings, 'eventName' | 'actionSource'>,
): Prepared => {
  const money = moneyOf(about);
  if (money === undefined && eventName === 'Purchase') return skipped('invalid_amount');

  const userData = metaUserData(about);
  if (userData === undefined) return skipped('no_match_keys');

  const id = about.eventId;
  return {
    kind: 'event',
    keys: keysOf(about, userData),
    event: {
      event_name: eventName,
      event_time: unixSeconds(about.occurredAt),
      event_id: id,
      ...source(about.lead, actionSource),
      ...(isLimited(about.lead.sharing) ? limits : {}),
      user_data: userData,
      ...(about.kind === 'conversion' && {
        custom_data: { ...money, order_id: about.externalReference ?? id, ...factsOf(about) },
      }),
    },
  };
};

/**
 * Builds a custom event with what was taken back of a conversion, if the account wants one: nothing corrects an event
 * that Meta has. Of a total that is not below every earlier one, nothing was taken back.
 */
const refundEventOf = (
  { id, takenBack, occurredAt, conversion }: AttributedAdjustment,
  { refundEvent, actionSource }: Pick<MetaSettings, 'refundEvent' | 'actionSource'>,
): Prepared => {
  if (refundEvent === undefined) return notSupported;
  if (Number(takenBack) === 0) return { kind: 'skipped', reason: 'nothing_taken_back' };
  const { eventId, externalReference } = conversion;
  const refund = { amount: takenBack, occurredAt, eventId: `${eventId}:refund:${id}` };
  // nobody became a customer by what was taken back, and of which items it was is not known
  const order = { externalReference: externalReference ?? eventId, isNewCustomer: null, items: [] };
  return metaEvent({ ...conversion, ...refund, ...order }, { eventName: refundEvent, actionSource });
};

/** Refund events are summed up, in the data set that has the conversion. */
export const metaRefund = {
  event: refundEventOf,
  overwrite: false,
};
