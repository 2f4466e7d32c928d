import { z } from 'zod';
import { clickParametersSchema, clickTimesSchema } from './click-parameters.ts';
import { consentScopes, type ConsentScope } from './contact.ts';

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

/** Where a visitor clicked. */
export interface ClickedPage {
  readonly title: string | null;
  readonly targetUrl: string;
}

export interface VisitorContact {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** What only the visitor that left the lead may see. */
export interface VisitorData extends VisitorContact {
  readonly ipAddress: string | null;
  /** What the advertiser registered of the visitor; null: nobody, or several clients, who may be several persons. */
  readonly registered: VisitorContact | null;
}

/** A lead as it is recorded, for somebody who has its reference. */
export interface VisitorLead extends ClickedPage {
  readonly clickedAt: Date;
  /** The parameters `utm_…`. */
  readonly campaign: Readonly<Record<string, string>>;
  /** Null: the page did not ask. */
  readonly consent: boolean | null;
  readonly consentScope: ConsentScope | null;
  readonly globalPrivacyControl: boolean;
  readonly consentWithdrawnAt: Date | null;
  /** Null: the browser did not prove that it has left the lead. */
  readonly own: VisitorData | null;
  /** The advertising platforms that were told of the lead and its conversions, and when last. */
  readonly told: readonly { readonly platform: string; readonly at: Date }[];
}
