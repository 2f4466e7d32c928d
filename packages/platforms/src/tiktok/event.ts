import {
  type Attributed,
  type AttributedConversion,
  type AttributedLead,
  clickIdIn,
  isLimited,
  matchKeySet,
} from '@leadback/domain';
import {
  browserFacts,
  givenExternalId,
  ownExternalId,
  hasGivenExternalId,
  localeOf,
  unixSeconds,
  moneyOf,
  productsOf,
  pageAddress,
  siteAddress,
  hashedName,
  plainEmail,
  hashedIdentifier,
  sha256,
} from '../event-parts.ts';
import { splitName } from '../full-name.ts';
import { knownFields, type PlatformEvent, type Prepared } from '../definition.ts';
import { onePhoneNumberForm } from '../phone-number.ts';

const browserIdShape = /^[A-Za-z0-9_.~=-]{4,1000}$/;

/** TikTok's id of a browser, unchanged; left out if its form is invalid. */
const browserIdOf = (seen = '') => (browserIdShape.test(seen) ? seen : undefined);

/**
 * `user` of an event of the Events API 2.0. Contact data, name and id are hashed (the phone number with its plus);
 * click and browser must be unhashed. `undefined` if TikTok could match no person: an IP address and a user agent do
 * not suffice, nor does the client id of this installation, which no pixel ever reported.
 */
export const tiktokUserData = (event: Attributed): Readonly<Record<string, unknown>> | undefined => {
  const { client, lead, accountCountry } = event;
  const ttclid = clickIdIn(lead.clickParameters, 'ttclid');
  const ttp = browserIdOf(lead.clickParameters._ttp);
  const email = hashedIdentifier(client.email, plainEmail);
  const phone = hashedIdentifier(client.phoneNumber, (written) => onePhoneNumberForm(written, accountCountry));
  const givenId = givenExternalId(client);
  if (!(ttclid ?? ttp ?? email ?? phone ?? givenId)) return undefined;

  const name = splitName(client.name);
  const { ip, userAgent } = browserFacts(lead);
  return knownFields({
    ttclid,
    ttp,
    email,
    phone,
    external_id: givenId ?? ownExternalId(event),
    first_name: hashedName(name.first),
    last_name: hashedName(name.rest),
    ip,
    user_agent: userAgent,
    locale: localeOf(lead.acceptLanguage),
  });
};

/** An event without personal data, to check whether TikTok would accept events. */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  event: 'LeadbackCheck',
  event_time: unixSeconds(new Date(nowMs)),
  event_id: `leadback-check-${nowMs}`,
  user: { external_id: sha256('leadback-check') },
});

const keysOf = ({ client }: Attributed, user: Readonly<Record<string, unknown>>) =>
  matchKeySet({
    ttclid: user['ttclid'],
    email: user['email'],
    phone: user['phone'],
    externalId: hasGivenExternalId(client),
    ipAndUserAgent: user['ip'] !== undefined && user['user_agent'] !== undefined,
    ttp: user['ttp'],
  });

/** `contents` of the properties of an event. */
const contentsOf = (about: AttributedConversion) => {
  const products = productsOf(about);
  return (
    products && {
      content_type: 'product',
      contents: products.map(({ id, name, quantity, price }) =>
        knownFields({ content_id: id, content_name: name, quantity, price }),
      ),
    }
  );
};

/** Builds an element of `data` of the Events API 2.0. */
export const tiktokEvent = (about: AttributedConversion | AttributedLead, eventName: string): Prepared => {
  const user = tiktokUserData(about);
  if (user === undefined) return { kind: 'skipped', reason: 'no_match_keys' };

  const { lead, eventId: id } = about;
  const page = pageAddress(lead.landingUrl, ['ttclid']);
  return {
    kind: 'event',
    keys: keysOf(about, user),
    event: knownFields({
      event: eventName,
      event_time: unixSeconds(about.occurredAt),
      event_id: id,
      user,
      page: page && knownFields({ url: page, referrer: siteAddress(lead.referrer) }),
      properties:
        about.kind === 'conversion'
          ? { ...moneyOf(about), order_id: about.externalReference ?? id, ...contentsOf(about) }
          : undefined,
      limited_data_use: isLimited(lead.sharing) ? true : undefined,
    }),
  };
};
