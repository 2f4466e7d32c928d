import { describe, expect, it } from 'vitest';
import { givenConversion } from '../../test/given-conversion.ts';
import { googleEmails, googlePhoneHashes } from '../../test/identifier-vectors.ts';
import { googleUserData } from './event.ts';

const userData = (client: { email?: string; phoneNumber?: string; name?: string }) =>
  googleUserData(givenConversion({ client }));

describe("Google's user data", () => {
  it.each(googleEmails)("Google's user data has the normalized hash of the email %j", (email, hash) => {
    expect(userData({ email })).toEqual(hash === null ? undefined : { userIdentifiers: [{ emailAddress: hash }] });
  });

  it.each(googlePhoneHashes)("Google's user data has the hash of the phone number %s", (phoneNumber, hash) => {
    expect(userData({ phoneNumber })?.userIdentifiers[0]).toEqual({ phoneNumber: hash });
  });

  it("Google's user data has an Argentine number with and without the 9 of mobiles, as written first", () => {
    const withNine = { phoneNumber: '790e47a4a8aeeed031d32be19de28e8880e89e80de18371c042874fc0367303c' };
    const withoutNine = { phoneNumber: 'd316c5529b0c9b5f7a05068187571606d2700ac2d51ca9b31f1e1ee6eeec1bb4' };
    expect(userData({ phoneNumber: '+54 9 11 2345-6789' })).toEqual({ userIdentifiers: [withNine, withoutNine] });
    expect(userData({ phoneNumber: '+54 11 2345-6789' })).toEqual({ userIdentifiers: [withoutNine, withNine] });
  });

  it("Google's user data has no name, because Google requires region and postal code with it", () => {
    expect(userData({ name: 'Ana Pérez' })).toBeUndefined();
  });
});
