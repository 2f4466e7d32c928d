import { type Attributed, fbpShape } from '@leadback/domain';
import { browserFacts } from '../browser-facts.ts';
import { givenExternalId, ownExternalId } from '../external-id.ts';
import { knownFields } from '../known-fields.ts';
import { hashedName, splitName } from '../person-name.ts';
import { phoneNumberForms } from '../phone-number.ts';
import { hashedForms, hashedIdentifier } from '../sha256.ts';
import { metaEmail } from './email.ts';
import { fbcOf, isStaleFbc } from './fbc.ts';

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
    external_id: listOf(givenId ?? ownExternalId(event)),
    client_ip_address: ip,
    client_user_agent: userAgent,
    fbc,
    fbp,
  });
};
