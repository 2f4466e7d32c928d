import { z } from 'zod';
import { clickParametersSchema, clickTimesSchema } from './click-parameters.ts';
import { consentScopes } from './sharing.ts';

const seen = z.string().nullable();

/** A lead to record. Buffered leads have the same fields. */
export const newLeadSchema = z.object({
  accountId: z.int().positive(),
  landingPageId: z.int().positive(),
  reference: z.string(),
  /** In hex: of what proves that the browser has left it. */
  proofHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  clickParameters: clickParametersSchema,
  /** The metrics count it under `(other)`: its network brought too many campaigns that nobody else had. */
  countsAsOther: z.boolean().optional(),
  clickTimes: clickTimesSchema.optional(),
  /** Time of all clicks, if on an earlier visit: only in leads buffered before `clickTimes` existed. */
  clickedAt: z.iso.datetime().nullable().optional(),
  ipAddress: seen,
  userAgent: seen,
  acceptLanguage: seen,
  referrer: seen,
  landingUrl: seen,
  name: seen,
  email: seen,
  phone: seen,
  /** null: the page did not ask. */
  consent: z.boolean().nullable(),
  consentScope: z.enum(consentScopes).nullable(),
  globalPrivacyControl: z.boolean(),
  /** W3C `traceparent` of the visitor's request, if it is traced. */
  traceParent: z.string().optional(),
});

export type NewLead = Readonly<z.infer<typeof newLeadSchema>>;
