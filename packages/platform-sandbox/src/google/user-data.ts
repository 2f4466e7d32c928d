import { z } from 'zod';
import { violation } from './violation-message.ts';

const malformed = violation('INVALID_SHA256_FORMAT', 'The SHA256 encoded value is malformed.');

const shapes = { HEX: /^[0-9a-f]{64}$/, BASE64: /^[A-Za-z0-9+/]{43}=$/ };
export const encodings = ['HEX', 'BASE64'] as const;
export type Encoding = (typeof encodings)[number];

const hash = z.string();

const identifierSchema = z
  .strictObject({
    emailAddress: hash.optional(),
    phoneNumber: hash.optional(),
    address: z
      .strictObject({ givenName: hash, familyName: hash, regionCode: z.string().length(2), postalCode: z.string().min(1) })
      .optional(),
  })
  .refine(
    (identifier) => Object.keys(identifier).length === 1,
    violation('INVALID_FORMAT', 'Exactly one kind of identifier must be set.'),
  );

export const userDataSchema = z.strictObject({
  userIdentifiers: z
    .array(identifierSchema)
    .min(1, violation('NO_IDENTIFIERS_PROVIDED', 'Events data contains no user identifiers or ad identifiers.'))
    .max(10, violation('TOO_MANY_USER_IDENTIFIERS', 'Maximum number of user identifiers allowed is 10.')),
});
export type UserData = z.infer<typeof userDataSchema>;
