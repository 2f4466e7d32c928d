import { describe, expect, it } from 'vitest';
import { givenConversion } from '../../test/given-conversion.ts';
import { googleEmails, googlePhoneHashes } from '../../test/identifier-vectors.ts';
import { googleUserData } from './user-data.ts';

const userData = (client: { email?: string; phoneNumber?: string; name?: string }) =>
  googleUserData(givenConversion({ client }));

describe("Google's user data", () => {
  it.each(googleEmails)('e-mail address %j', (email, hash) => {
    expect(userData({ email })).toEqual(hash === null ? undefined : { userIdentifiers: [{ emailAddress: hash }] });
  });

  it.each(googlePhoneHashes)('telephone number %s', (phoneNumber, hash) => {
    expect(userData({ phoneNumber })).toEqual({ userIdentifiers: [{ phoneNumber: hash }] });
  });

  it('has no name: Google would want region and postal code with it', () => {
    expect(userData({ name: 'Ana Pérez' })).toBeUndefined();
  });
});
