import { z } from 'zod';
import type { CountedEvent } from '../platform-facts.ts';
import { userDataSchema } from './user-data.ts';
import { says } from './violation.ts';

const aheadMaxMs = 60_000;

const consentStatus = z.enum(['CONSENT_GRANTED', 'CONSENT_DENIED', 'CONSENT_STATUS_UNSPECIFIED']);
export const consentSchema = z.strictObject({
  adUserData: consentStatus.optional(),
  adPersonalization: consentStatus.optional(),
});

const clickId = z.string().min(1).optional();
const adIdentifiersSchema = z
  .strictObject({ gclid: clickId, gbraid: clickId, wbraid: clickId })
  .refine(
    (clicks) => Object.keys(clicks).length <= 1,
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
export const eventSchema = (hash: z.ZodString, now: () => number) =>
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
      consent: consentSchema.optional(),
    })
    .refine(
      ({ adIdentifiers, userData }) => userData !== undefined || Object.keys(adIdentifiers ?? {}).length > 0,
      says('NO_IDENTIFIERS_PROVIDED', 'Events data contains no user identifiers or ad identifiers.'),
    );
