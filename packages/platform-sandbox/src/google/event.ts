import { z } from 'zod';
import { required, violation } from './violation-message.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, violation('INVALID_SHA256_FORMAT', 'Expected a SHA-256 in hex.'));

const oneIdentifier = violation('INVALID_EVENT', 'Exactly one of emailAddress, phoneNumber and address is expected.');
const userIdentifier = z
  .strictObject(
    { emailAddress: sha256.optional(), phoneNumber: sha256.optional(), address: z.unknown().optional() },
    violation('INVALID_FORMAT', 'Unknown identifier.'),
  )
  .refine((identifier) => Object.keys(identifier).length === 1, oneIdentifier);

const clickId = z.string().min(1, violation('INVALID_FORMAT', 'A click id must not be empty.'));
const oneClickId = violation('INVALID_EVENT', 'Exactly one of gclid, gbraid and wbraid is expected.');
const adIdentifiers = z
  .object({ gclid: clickId.optional(), gbraid: clickId.optional(), wbraid: clickId.optional() })
  .refine(({ gclid, gbraid, wbraid }) => [gclid, gbraid, wbraid].filter(Boolean).length === 1, oneClickId);

const eventSources = ['WEB', 'APP', 'IN_STORE', 'PHONE', 'MESSAGE', 'OTHER'];

/** An event of `events:ingest` that reports a conversion of an advertisement's click. */
export const eventSchema = z
  .object({
    transactionId: z.string({ error: required('INVALID_FORMAT', 'Expected a string.') }).min(1),
    eventTimestamp: z.iso.datetime({
      offset: true,
      error: required('EVENT_TIME_INVALID', 'Expected RFC 3339 with a zone.'),
    }),
    eventSource: z.enum(eventSources, { error: required('INVALID_ENUM_VALUE', 'Unknown event source.') }),
    conversionValue: z.number(violation('INVALID_FORMAT', 'Expected a number.')).min(0).optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, violation('INVALID_CURRENCY_CODE', 'Expected a currency of ISO 4217.'))
      .optional(),
    adIdentifiers: adIdentifiers.optional(),
    userData: z
      .object({
        userIdentifiers: z
          .array(userIdentifier)
          .min(1, violation('NO_IDENTIFIERS_PROVIDED', 'No identifiers.'))
          .max(10, violation('TOO_MANY_USER_IDENTIFIERS', 'At most 10 identifiers.')),
      })
      .optional(),
  })
  .refine(({ adIdentifiers: click, userData }) => click !== undefined || userData !== undefined, {
    message: violation('NO_IDENTIFIERS_PROVIDED', 'Neither a click id nor user data.'),
  });
