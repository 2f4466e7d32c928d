import { z } from 'zod';
import { isHashOfNothing } from '../hash-of-nothing.ts';

const text = z.string('cannot be coerced to String');

const idTypes = [
  'SHA256_EMAIL',
  'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID',
  'PLAINTEXT_IP_ADDRESS',
  'ACXIOM_ID',
  'GOOGLE_AID',
] as const;

const valueShapes: Readonly<Record<(typeof idTypes)[number], RegExp>> = {
  SHA256_EMAIL: /^[0-9a-f]{64}$/,
  LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID: /^[\w-]+$/,
  PLAINTEXT_IP_ADDRESS: /^\d{1,3}(\.\d{1,3}){3}$/,
  ACXIOM_ID: /./,
  GOOGLE_AID: /./,
};

// LinkedIn itself matches nobody by a malformed value, and does not say so
const userId = z
  .strictObject({ idType: z.enum(idTypes, 'is not an enum symbol'), idValue: text })
  .refine(({ idType, idValue }) => valueShapes[idType].test(idValue) && !isHashOfNothing(idValue), {
    path: ['idValue'],
    error: 'matches nobody',
  });

/** An element of `conversionEvents` ("Conversions API Schema"). LinkedIn refuses fields that it does not know. */
export const elementSchema = z.strictObject({
  conversion: text.regex(/^urn:lla:llaPartnerConversion:\d+$/, 'Invalid Urn format. Invalid prefix.'),
  conversionHappenedAt: z.int('cannot be coerced to Long').min(1_000_000_000_000, 'is not in milliseconds'),
  conversionValue: z
    .strictObject({
      currencyCode: text.regex(/^[A-Z]{3}$/, 'is no currency of ISO 4217'),
      amount: text.regex(/^\d+(\.\d+)?$/, 'is no decimal'),
    })
    .optional(),
  eventId: text.min(1, 'is empty').optional(),
  user: z.strictObject({
    userIds: z.array(userId, 'cannot be coerced to Array'),
    userInfo: z
      .strictObject({
        firstName: text,
        lastName: text,
        title: text.optional(),
        companyName: text.optional(),
        countryCode: text.optional(),
      })
      .optional(),
    externalIds: z.array(text).max(1).optional(),
  }),
});
