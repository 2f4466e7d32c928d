import { type AccountId, type Currency, platformNames } from '@leadback/domain';
import { z } from 'zod';

export interface NewConversion {
  readonly accountId: AccountId;
  readonly clientExternalReference?: string | undefined;
  readonly emailKey?: string | undefined;
  /** Decimal; rounded half up to the cent by `numeric(12,2)`. */
  readonly amount: string;
  readonly currency: Currency;
  /** Its client, references and event ids are apart from those of live conversions. */
  readonly isTest: boolean;
  readonly externalReference?: string | undefined;
  /** The id that the partner's own pixel sends for the same sale. */
  readonly eventId?: string | undefined;
  /** ISO 8601; left out: now. */
  readonly occurredAt?: string | undefined;
  /** Set by the registrar for what the first statement has lost to a transaction that it could not see. */
  readonly isSecondTry?: boolean;
}

/** Also as it is stored for a repeated request. */
export const conversionRegistrationSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    id: z.number(),
    leadId: z.number(),
    /** Of the lead, where that is traced. */
    traceParent: z.string().optional(),
    feedback: z.array(
      // answers that were kept before connections were named in them are given again for a day
      z.object({ feedbackId: z.number(), connectionId: z.number().optional(), platform: z.enum(platformNames) }),
    ),
  }),
  z.object({ kind: z.enum(['client-unknown', 'occurred-out-of-range']) }),
  // `firstId`: the conversion that has the reference or the event id; not in responses stored before it was told
  z.object({ kind: z.enum(['repeated', 'event-repeated']), firstId: z.number().optional() }),
]);

export type ConversionRegistration = Readonly<z.infer<typeof conversionRegistrationSchema>>;
