import { type AccountId, type Currency, platformNames } from '@leadback/domain';
import { z } from 'zod';

export interface NewConversion {
  readonly accountId: AccountId;
  readonly clientExternalReference?: string | undefined;
  readonly emailKey?: string | undefined;
  /** Decimal; `numeric(12,2)` rounds it half up to the cent. */
  readonly amount: string;
  readonly currency: Currency;
  /** Clients, references and event ids of tests are separate from live ones. */
  readonly isTest: boolean;
  readonly externalReference?: string | undefined;
  /** The event id that the partner's own pixel sends for the same sale. */
  readonly eventId?: string | undefined;
  /** ISO 8601. Default: now. */
  readonly occurredAt?: string | undefined;
  /** Set by the registrar if the first statement lost to a transaction that its snapshot does not include. */
  readonly isSecondTry?: boolean;
}

/** Also the stored form for repeated requests. */
export const conversionRegistrationSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    id: z.number(),
    leadId: z.number(),
    /** `traceparent` of the lead, if it is traced. */
    traceParent: z.string().optional(),
    feedback: z.array(
      // results stored before `connectionId` was added are returned for one more day
      z.object({ feedbackId: z.number(), connectionId: z.number().optional(), platform: z.enum(platformNames) }),
    ),
  }),
  z.object({ kind: z.enum(['client-unknown', 'occurred-out-of-range']) }),
  // `firstId`: the conversion that has the reference or the event id; missing in results stored before it was added
  z.object({ kind: z.enum(['repeated', 'event-repeated']), firstId: z.number().optional() }),
]);

export type ConversionRegistration = Readonly<z.infer<typeof conversionRegistrationSchema>>;
