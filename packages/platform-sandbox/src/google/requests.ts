import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type CountedEvent, isHashOfNothing } from '../events.ts';
import type { ErrorResponse, FailureResponses } from '../behaviour.ts';

interface Violation {
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

/** The message of a schema rule: Google's reason (google/ads/datamanager/v1/error.proto) and its description. */
const says = (reason: string, description: string): string => `${reason} ${description}`;

/** Google's reason for rules without a message of their own. */
export const generalReason: z.core.$ZodErrorMap = ({ code, input }) => {
  if (input === undefined) return says('REQUIRED_FIELD_MISSING', 'Required field is missing.');
  if (code === 'invalid_value') return says('INVALID_ENUM_VALUE', 'Enum value cannot be used.');
  if (code === 'unrecognized_keys') return says('INVALID_ARGUMENT', 'Unknown name: cannot find field.');
  return says('INVALID_FORMAT', 'Format is invalid.');
};

export const violationOf = ({ path, message }: z.core.$ZodIssue): Violation => {
  const field = z.core.toDotPath(path);
  const [reason = '', ...description] = message.split(' ');
  return { field: path[0] === 'events' ? `events.${field}` : field, reason, description: description.join(' ') };
};

/** `UserData` of google/ads/datamanager/v1/user_data.proto; the form of a hash depends on the request's encoding. */
const userDataSchema = (hash: z.ZodString) => {
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

const aheadMaxMs = 60_000;

const consentStatus = z.enum(['CONSENT_GRANTED', 'CONSENT_DENIED', 'CONSENT_STATUS_UNSPECIFIED']);
const consentSchema = z.strictObject({
  adUserData: consentStatus.optional(),
  adPersonalization: consentStatus.optional(),
});

/** `UserProperties` of google/ads/datamanager/v1/user_properties.proto. */
const userPropertiesSchema = z.strictObject({
  customerType: z.enum(['CUSTOMER_TYPE_UNSPECIFIED', 'NEW', 'RETURNING', 'REENGAGED']).optional(),
  customerValueBucket: z.enum(['CUSTOMER_VALUE_BUCKET_UNSPECIFIED', 'LOW', 'MEDIUM', 'HIGH']).optional(),
});

/** `CartData` of google/ads/datamanager/v1/cart_data.proto. The quantity is an int64: in JSON, a string or a number. */
const cartDataSchema = z.strictObject({
  merchantId: z.string().optional(),
  merchantFeedLabel: z.string().optional(),
  merchantFeedLanguageCode: z.string().optional(),
  transactionDiscount: z.number().optional(),
  items: z
    .array(
      z.strictObject({
        merchantProductId: z.string().min(1).optional(),
        quantity: z.union([z.string().regex(/^-?\d+$/), z.int()]).optional(),
        unitPrice: z.number().optional(),
      }),
    )
    .optional(),
});

const clickId = z.string().min(1).optional();
const adIdentifiersSchema = z
  .strictObject({
    gclid: clickId,
    gbraid: clickId,
    wbraid: clickId,
    sessionAttributes: z.base64().optional(),
    landingPageDeviceInfo: z
      .strictObject({ userAgent: z.string().optional(), ipAddress: z.string().optional() })
      .optional(),
  })
  .refine(
    ({ gclid, gbraid, wbraid }) => [gclid, gbraid, wbraid].filter((id) => id !== undefined).length <= 1,
    says('INVALID_EVENT', 'Exactly one of gclid, gbraid and wbraid can be set.'),
  );

const malformedTime = ({ input }: { readonly input?: unknown }) =>
  input === undefined ? undefined : says('EVENT_TIME_INVALID', 'The time of the event is not of RFC 3339.');

const eventTimestampSchema = (now: () => number) =>
  z.iso
    .datetime({ offset: true, error: malformedTime })
    .refine(
      (text) => Date.parse(text) <= now() + aheadMaxMs,
      says('EVENT_TIME_INVALID', 'The event lies in the future.'),
    );

const countedSchema = z.object({
  transactionId: z.string(),
  conversionValue: z.number().optional(),
  currency: z.string().optional(),
});

/** Another event with the same transaction id overwrites value and currency; the count is not raised. */
export const countedAs = (event: unknown): CountedEvent => {
  const { transactionId: id, conversionValue: value, currency } = countedSchema.parse(event);
  return { id, value, currency };
};

/** `Event` of google/ads/datamanager/v1/event.proto, limited to conversions on the web. */
const eventSchema = (hash: z.ZodString, now: () => number) =>
  z
    .strictObject({
      destinationReferences: z.array(z.string().min(1)).optional(),
      transactionId: z.string().min(1),
      eventTimestamp: eventTimestampSchema(now),
      eventSource: z.enum(['WEB', 'APP', 'IN_STORE', 'PHONE', 'MESSAGE', 'OTHER']),
      conversionValue: z.number().min(0).optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, says('INVALID_CURRENCY_CODE', 'The currency code is not supported.'))
        .optional(),
      adIdentifiers: adIdentifiersSchema.optional(),
      userData: userDataSchema(hash).optional(),
      cartData: cartDataSchema.optional(),
      userProperties: userPropertiesSchema.optional(),
      consent: consentSchema.optional(),
    })
    .refine(
      ({ adIdentifiers: { gclid, gbraid, wbraid } = {}, userData }) =>
        userData !== undefined || (gclid ?? gbraid ?? wbraid) !== undefined,
      says('NO_IDENTIFIERS_PROVIDED', 'Events data contains no user identifiers or ad identifiers.'),
    );

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

const domain = 'datamanager.googleapis.com';
const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;

export const requestId = (): string => randomBytes(16).toString('base64url');

/** The error body of Google's APIs: a google.rpc.Status with details. */
const googleError = (
  code: number,
  status: string,
  reason: string,
  message: string,
  more: readonly unknown[] = [],
): ErrorResponse => ({
  status: code,
  body: {
    error: {
      code,
      message,
      status,
      details: [
        { '@type': type('ErrorInfo'), reason, domain },
        { '@type': type('RequestInfo'), requestId: requestId() },
        ...more,
      ],
    },
  },
});

export const invalidArgument = (violations: readonly Violation[]): ErrorResponse =>
  googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'There was a problem with the request.', [
    { '@type': type('BadRequest'), fieldViolations: violations },
  ]);

/** The quota of the project is used up; `retryInMs`: until the next request is accepted. */
export const quotaExceeded = (retryInMs: number): ErrorResponse =>
  googleError(429, 'RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED', 'Too many requests.', [
    { '@type': type('RetryInfo'), retryDelay: `${retryInMs / 1000}s` },
  ]);

/** INVALID_REQUEST_ID of google/ads/datamanager/v1/error.proto; its HTTP status is not documented. */
export const unknownRequest: ErrorResponse = googleError(
  404,
  'NOT_FOUND',
  'INVALID_REQUEST_ID',
  'The request ID used to retrieve the status of a request is not valid.',
);

export const unauthenticated: ErrorResponse = googleError(
  401,
  'UNAUTHENTICATED',
  'ACCESS_TOKEN_INVALID',
  'Request had invalid authentication credentials. Expected OAuth 2 access token.',
);

export const googleFailureResponses: FailureResponses = {
  'server-error': googleError(503, 'UNAVAILABLE', 'UNAVAILABLE', 'The service is currently unavailable.'),
  'rate-limited': {
    ...googleError(429, 'RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED', 'Too many requests.'),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': unauthenticated,
  'bad-event': invalidArgument([
    { field: 'events.events[0]', reason: 'INVALID_EVENT', description: 'The sandbox was told to refuse it.' },
  ]),
};
