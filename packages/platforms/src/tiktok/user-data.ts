import type { Attributed } from '@leadback/domain';
import { browserFacts } from '../browser-facts.ts';
import { givenExternalId, ownExternalId } from '../external-id.ts';
import { knownFields } from '../known-fields.ts';
import { localeOf } from '../locale-of.ts';
import { hashedName, splitName } from '../person-name.ts';
import { onePhoneNumberForm } from '../phone-number.ts';
import { plainEmail } from '../plain-email.ts';
import { hashedIdentifier } from '../sha256.ts';

const markShape = /^[A-Za-z0-9_.~=-]{4,1000}$/;

/** TikTok's id of a click or a browser, unchanged; left out if its form is invalid. */
const mark = (seen = '') => (markShape.test(seen) ? seen : undefined);

/**
 * `user` of an event of the Events API 2.0. Contact data, name and id are hashed (the phone number with its plus);
 * click and browser must be unhashed. `undefined` if TikTok could match no person: an IP address and a user agent do
 * not suffice, nor does the client id of this installation, which no pixel ever reported.
 */
export const tiktokUserData = (event: Attributed): Readonly<Record<string, unknown>> | undefined => {
  const { client, lead, accountCountry } = event;
  const ttclid = mark(lead.clickParameters.ttclid);
  const ttp = mark(lead.clickParameters._ttp);
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
