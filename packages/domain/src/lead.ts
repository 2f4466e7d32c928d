import { z } from 'zod';
import { supportedPlatforms } from './connection.ts';
import { consentScopes, type ConsentScope } from './contact.ts';

// their click ids are kept, although there are no connections to them yet
const otherSources = [
  { name: 'pinterest', clickIds: ['epik'] },
  { name: 'snapchat', clickIds: ['ScCid'] },
  { name: 'x', clickIds: ['twclid'] },
  { name: 'reddit', clickIds: ['rdt_cid'] },
  { name: 'openai', clickIds: ['oppref'] },
] as const;
const clickIdSources = [...supportedPlatforms, ...otherSources] as const;

export type ClickIdName = (typeof clickIdSources)[number]['clickIds'][number];

/** The click ids of each platform. Per platform, only the last click counts. */
export const clickIdsByPlatform: Readonly<Record<string, readonly ClickIdName[]>> = Object.fromEntries(
  clickIdSources.map(({ name, clickIds }) => [name, clickIds]),
);

export const clickIdNames = clickIdSources.flatMap(({ clickIds }): readonly ClickIdName[] => clickIds);

/** Query parameters of a landing page that describe the click. */
export const queryParameterNames = [
  ...clickIdNames,
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  // of the campaign
  'utm_id',
  // of Google's auto-tagging, also where there is no click id: its session attributes need both
  'gad_source',
  'gad_campaignid',
] as const;

const knownQueryParameters: ReadonlySet<string> = new Set(queryParameterNames);

export const isQueryParameter = (name: string): name is (typeof queryParameterNames)[number] =>
  knownQueryParameters.has(name);

/** First-party cookies of the pixels of Meta, TikTok, Pinterest, Snapchat and Reddit. */
export const cookieParameterNames = ['_fbp', '_fbc', '_ttp', '_epik', '_scid', '_rdt_uuid'] as const;

const parameterNames = [...queryParameterNames, ...cookieParameterNames] as const;
export type ClickParameterName = (typeof parameterNames)[number];

// A newer version may have buffered a lead with more names.
const knownNames = <Name extends string, Value extends z.ZodType>(names: readonly Name[], value: Value) => {
  const known: readonly string[] = names;
  return z
    .record(z.string(), z.unknown())
    .transform((given) => Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name))))
    .pipe(z.partialRecord(z.enum(names), value));
};

/** The usable click parameters of a lead: see `readClickParameters`. Only the platform packages interpret them further. */
export const clickParametersSchema = knownNames(parameterNames, z.string());
export type ClickParameters = z.infer<typeof clickParametersSchema>;

/** Times of clicks on earlier visits (ISO 8601). A click id without a time came with this visit. */
export const clickTimesSchema = knownNames(clickIdNames, z.iso.datetime());
export type ClickTimes = z.infer<typeof clickTimesSchema>;

/**
 * Meta's cookie `_fbp`: `fb.<subdomain index>.<creation time in ms>.<random number>`, optionally with the appendix of
 * Meta's parameter builder.
 */
export const fbpShape = /^fb\.\d+\.\d{13}\.\d{1,20}(\.[A-Za-z0-9_-]{2,8})?$/;

/** Why what was sent as a click id is none: a template that nobody filled, a word for nothing, or what its platform gives to no click. */
export const unusableReasons = ['template', 'placeholder', 'malformed'] as const;
export type UnusableReason = (typeof unusableReasons)[number];

/** What was sent as click ids and is none, as it was sent. */
const unusableClicksSchema = knownNames(
  [...clickIdNames, '_fbc'],
  z.object({ sent: z.string(), reason: z.enum(unusableReasons) }),
);
export type UnusableClicks = z.infer<typeof unusableClicksSchema>;

const seen = z.string().nullable();

/**
 * How a lead came that no visit to a landing page left: the script on the advertiser's page or its server has reported it; or the
 * platform told of the click in the background, while the visitor went straight to the advertiser's page.
 */
export const reporters = ['script', 'server', 'background'] as const;
export type Reporter = (typeof reporters)[number];

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
  /** Left out if there are none. */
  unusableClicks: unusableClicksSchema.optional(),
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
  /** The advertiser said that the visitor agreed to sharing, where `consent` cannot say it alone. */
  adUserData: z.literal(true).optional(),
  globalPrivacyControl: z.boolean(),
  reportedBy: z.enum(reporters).optional(),
  /** Of an earlier lead, whose clicks it takes over. */
  keptReference: z.string().optional(),
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
