import type { AttributedConversion } from '@leadback/domain';
import { phoneNumberForms } from '../phone-number.ts';
import { hashedForms, hashedIdentifier } from '../sha256.ts';
import { googleEmail } from './email.ts';

export interface GoogleUserData {
  readonly userIdentifiers: readonly Readonly<Record<string, string>>[];
}

/**
 * Who converted: e-mail address and telephone number, hashed. Google takes a name only with region and postal code,
 * which we do not have; and its policies forbid the IP address in parts of the world, so it is never sent.
 */
export const googleUserData = ({ client, accountCountry }: AttributedConversion): GoogleUserData | undefined => {
  const emailAddress = hashedIdentifier(client.email, googleEmail);
  const phoneNumbers = hashedForms(client.phoneNumber, (written) => phoneNumberForms(written, accountCountry));
  const userIdentifiers = [
    ...(emailAddress === undefined ? [] : [{ emailAddress }]),
    ...phoneNumbers.map((phoneNumber) => ({ phoneNumber })),
  ];
  return userIdentifiers.length === 0 ? undefined : { userIdentifiers };
};
