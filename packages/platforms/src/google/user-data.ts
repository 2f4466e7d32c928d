import type { Attributed } from '@leadback/domain';
import { phoneNumberForms } from '../phone-number.ts';
import { hashedForms, hashedIdentifier } from '../sha256.ts';
import { googleEmail } from './email.ts';

export interface GoogleUserData {
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
