import { z } from 'zod';
import { isHashOfNothing } from '../hash-of-nothing.ts';
import { consentSchema, eventSchema } from './event.ts';
import { says } from './violation.ts';

const hashShapes = { HEX: /^[0-9a-f]{64}$/, BASE64: /^[A-Za-z0-9+/]{43}=$/ };
const encodingSchema = z.enum(['HEX', 'BASE64']);

const account = z.strictObject({
  accountType: z.literal('GOOGLE_ADS'),
  accountId: z.string().regex(/^\d{10}$/, says('INVALID_DESTINATION', 'This Destination is not valid.')),
});

const destinationSchema = z.strictObject({
  reference: z.string().min(1).optional(),
  operatingAccount: account,
  loginAccount: account.optional(),
  linkedAccount: account.optional(),
  productDestinationId: z
    .string()
    .regex(/^\d+$/, says('INVALID_CONVERSION_ACTION_ID', 'Conversion action ID is not valid.')),
});

const hashSchema = (encoding: keyof typeof hashShapes) => {
  const message = says('INVALID_SHA256_FORMAT', 'The SHA256 encoded value is malformed.');
  return z
    .string()
    .regex(hashShapes[encoding], message)
    .refine((hash) => !isHashOfNothing(hash), says('INVALID_SHA256_FORMAT', 'The SHA256 is that of an empty value.'));
};

/** `IngestEventsRequest` of google/ads/datamanager/v1/ingestion_service.proto. */
const requestSchema = (hash: z.ZodString, now: () => number) =>
  z
    .strictObject({
      destinations: z
        .array(destinationSchema)
        .min(1, says('REQUIRED_FIELD_MISSING', 'Required field is missing.'))
        .max(10, says('TOO_MANY_DESTINATIONS', 'Maximum number of destinations allowed per request is 10.')),
      encoding: encodingSchema.optional(),
      consent: consentSchema.optional(),
      events: z
        .array(eventSchema(hash, now))
        .min(1, says('REQUIRED_FIELD_MISSING', 'Required field is missing.'))
        .max(2000, says('TOO_MANY_EVENTS', 'Maximum number of events allowed per request is 2000.')),
      validateOnly: z.boolean().optional(),
    })
    .refine(
      ({ destinations, events }) => {
        const known = new Set(destinations.map(({ reference }) => reference));
        return events.every(({ destinationReferences = [] }) => destinationReferences.every((name) => known.has(name)));
      },
      {
        path: ['events'],
        error: says('INVALID_DESTINATION', 'The event refers to a destination that the request does not have.'),
      },
    )
    .refine(({ encoding, events }) => encoding !== undefined || events.every((event) => event.userData === undefined), {
      path: ['encoding'],
      error: says('REQUIRED_FIELD_MISSING', 'The encoding is required if there is user data.'),
    });

const encodedSchema = z.object({ encoding: encodingSchema });

/**
 * Returns a function that finds the schema of a request: the encoding in it decides what a hash looks like. `now`:
 * milliseconds since 1970.
 */
export const ingestRequestSchemas = (now: () => number) => {
  const ofEncoding = { HEX: requestSchema(hashSchema('HEX'), now), BASE64: requestSchema(hashSchema('BASE64'), now) };
  return (body: unknown): typeof ofEncoding.HEX => ofEncoding[encodedSchema.safeParse(body).data?.encoding ?? 'HEX'];
};
