import { isIP } from 'node:net';
import type { AttributedConversion } from '@leadback/domain';
import { knownFields } from '../known-fields.ts';
import { phoneNumberInE164 } from '../phone-number.ts';
import { hashedIdentifier } from '../sha256.ts';
import { metaEmail } from './email.ts';
import { fbcOf, fbMarkShape, isStaleFbc } from './fbc.ts';
import { metaName, splitName } from './name.ts';

const listOf = (value: string | undefined) => (value === undefined ? undefined : [value]);

const withoutBlanks = (text: string) => text.replace(/\s/g, '').toLowerCase();

const freshFbc = ({ lead, createdAt }: AttributedConversion) => {
  const fbc = fbcOf(lead);
  return fbc !== undefined && !isStaleFbc(fbc, createdAt) ? fbc : undefined;
};

/**
 * Meta's "customer information parameters": what is in a list is hashed, everything else must stay as it is.
 * `undefined` where Meta could match nobody. Our own client id is sent as `external_id` where the account gave none,
 * but does not count: no pixel of the account ever told it to Meta.
 */
export const metaUserData = (conversion: AttributedConversion): Readonly<Record<string, unknown>> | undefined => {
  const { client, lead, accountCountry } = conversion;
  const name = splitName(client.name);
  const em = hashedIdentifier(client.email, metaEmail);
  const ph = hashedIdentifier(client.phoneNumber, (written) => phoneNumberInE164(written, accountCountry)?.slice(1));
  const givenId = hashedIdentifier(client.externalReference, withoutBlanks);
  const fbc = freshFbc(conversion);
  const { _fbp: browser = '' } = lead.clickMarks;
  const fbp = fbMarkShape.test(browser) ? browser : undefined;
  const ip = isIP(lead.ipAddress ?? '') === 0 ? undefined : lead.ipAddress;
  const userAgent = lead.userAgent?.trim() || undefined;

  if (!(em ?? ph ?? givenId ?? fbc ?? fbp ?? (ip && userAgent))) return undefined;
  return knownFields({
    em: listOf(em),
    ph: listOf(ph),
    fn: listOf(hashedIdentifier(name.first, metaName)),
    ln: listOf(hashedIdentifier(name.rest, metaName)),
    external_id: listOf(givenId ?? hashedIdentifier(String(client.id), withoutBlanks)),
    client_ip_address: ip,
    client_user_agent: userAgent,
    fbc,
    fbp,
  });
};
