import type { AttributedConversion } from '@leadback/domain';
import { browserFacts } from '../browser-facts.ts';
import { givenExternalId, ownExternalId } from '../external-id.ts';
import { knownFields } from '../known-fields.ts';
import { hashedName, splitName } from '../person-name.ts';
import { phoneNumberInE164 } from '../phone-number.ts';
import { plainEmail } from '../plain-email.ts';
import { hashedIdentifier } from '../sha256.ts';

const clickIdShape = /^[A-Za-z0-9_.~=-]{4,1000}$/;

/**
 * `user` of an event of the Events API 2.0: contact data, name and id are hashed (the telephone number with its plus);
 * the click and the browser must stay as they are. `undefined` where TikTok could match nobody: a browser alone does not
 * suffice, and neither does our own client id, which no pixel of the account ever told it.
 */
export const tiktokUserData = ({
  client,
  lead,
  accountCountry,
}: AttributedConversion): Readonly<Record<string, unknown>> | undefined => {
  const { ttclid: clickId = '' } = lead.clickMarks;
  const ttclid = clickIdShape.test(clickId) ? clickId : undefined;
  const email = hashedIdentifier(client.email, plainEmail);
  const phone = hashedIdentifier(client.phoneNumber, (written) => phoneNumberInE164(written, accountCountry));
  const givenId = givenExternalId(client);
  if (!(ttclid ?? email ?? phone ?? givenId)) return undefined;

  const name = splitName(client.name);
  const { ip, userAgent } = browserFacts(lead);
  return knownFields({
    ttclid,
    email,
    phone,
    external_id: givenId ?? ownExternalId(client),
    first_name: hashedName(name.first),
    last_name: hashedName(name.rest),
    ip,
    user_agent: userAgent,
  });
};
