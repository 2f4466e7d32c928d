import { z } from 'zod';
import { says } from './violation.ts';

/** `UserData` of google/ads/datamanager/v1/user_data.proto; the form of a hash depends on the request's encoding. */
export const userDataSchema = (hash: z.ZodString) => {
  const address = z.strictObject({
    givenName: hash,
    familyName: hash,
    regionCode: z.string().regex(/^[A-Z]{2}$/, says('INVALID_COUNTRY_CODE', 'Country code is not valid.')),
    postalCode: z.string().min(1),
  });

  const identifier = z
    .strictObject({ emailAddress: hash.optional(), phoneNumber: hash.optional(), address: address.optional() })
    .refine(
      (kinds) => Object.keys(kinds).length === 1,
      says('INVALID_FORMAT', 'Exactly one kind of identifier must be set.'),
    );

  return z.strictObject({
    userIdentifiers: z
      .array(identifier)
      .min(1, says('NO_IDENTIFIERS_PROVIDED', 'Events data contains no user identifiers or ad identifiers.'))
      .max(10, says('TOO_MANY_USER_IDENTIFIERS', 'Maximum number of user identifiers allowed is 10.')),
  });
};
