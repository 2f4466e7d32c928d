import { askedFields, consentScopes, landingPageModes, languages, unusableReasons } from '@leadback/domain';
import { z } from 'zod';

export const pagesMax = 500;

export const listedPage = z.object({
  id: z.number(),
  slug: z.string(),
  /** Where visitors find it. */
  url: z.string(),
  mode: z.enum(landingPageModes),
  isOn: z.boolean(),
  /** Counts what the advertiser's own server reports: visitors see nothing of it. */
  isOfServer: z.boolean(),
  /** Null: the standard heading of its language. */
  title: z.string().nullable(),
  targetUrl: z.string(),
  /** If its target got another host in the last seven days: which one it had, and when (ISO 8601). */
  targetChange: z.object({ hostBefore: z.string(), at: z.string() }).nullable(),
  /** Of the last 30 days. */
  leads: z.number(),
  /** ISO 8601. */
  changedAt: z.string(),
});

/** `GET /api/accounts/:account/pages`: those changed last first. */
export const pagesReply = z.object({
  /** What the URLs of pages begin with. */
  baseUrl: z.string(),
  /** Of the API, where the guides are, too; null: not known. */
  apiUrl: z.string().nullable(),
  items: z.array(listedPage),
  /** Whether the account has more than 500. */
  hasMore: z.boolean(),
});

const pixels = z.number().int().min(1).max(100_000);

const draftImage = z.object({
  /** `/media/…` of an uploaded image of the account, or a URL. */
  src: z.string(),
  alt: z.string(),
  width: pixels.optional(),
  height: pixels.optional(),
});

/** A page as it is typed: what is empty is not set. Nothing is valid or invalid yet but its choices. */
export const pageDraft = z.object({
  targetUrl: z.string(),
  mode: z.enum(landingPageModes),
  title: z.string(),
  /** Markdown. */
  text: z.string(),
  buttonLabel: z.string(),
  language: z.enum(languages),
  /** `#rrggbb` */
  accentColor: z.string(),
  logo: draftImage.nullable(),
  hero: draftImage.nullable(),
  askedFields: z.array(z.enum(askedFields)).max(askedFields.length),
  consentText: z.string(),
  consentScope: z.enum(consentScopes),
  privacyUrl: z.string(),
  /** `known`, `none`, or names with commas between them. */
  passedParameters: z.string(),
});

export const draftFields = pageDraft.keyof();

/** Fields of a draft that cannot be saved as they are. */
const problems = z.array(z.enum(['slug', ...draftFields.options]));

/** `GET /api/accounts/:account/pages/:id` */
export const page = z.object({
  id: z.number(),
  slug: z.string(),
  url: z.string(),
  /** Shows the page as it is stored, on or off, and records nothing. */
  previewUrl: z.string(),
  isOn: z.boolean(),
  isOfServer: z.boolean(),
  changedAt: z.string(),
  draft: pageDraft,
  /** Of the content; for a change. */
  version: z.string(),
  /** How the advertiser's own pages report its clicks; null: in other modes. */
  script: z
    .object({
      /** Of the pages that have it. */
      origins: z.array(z.string()).readonly(),
      waitsForConsent: z.boolean(),
      /** To copy: the newest; this version alone; and under the page's own name. */
      snippet: z.string(),
      pinnedSnippet: z.string(),
      plainSnippet: z.string(),
    })
    .nullable(),
  apiUrl: z.string().nullable(),
});

/** `GET /api/accounts/:account/pages/:id/unusable-clicks`: what was sent as click ids in the last 30 days and is none. */
export const unusableClicksReply = z.object({
  items: z.array(z.object({ parameter: z.string(), reason: z.enum(unusableReasons), clicks: z.number() })),
});

/** `POST /api/accounts/:account/pages/check` → the fields to correct. */
export const checkPageInput = z.object({ draft: pageDraft });
export const checkPageReply = z.object({ problems });

/** `POST /api/accounts/:account/pages` → a page that is off. */
export const createPageInput = z.object({ slug: z.string(), targetUrl: z.string(), language: z.enum(languages) });
export const createPageReply = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), page }),
  z.object({ outcome: z.literal('invalid'), problems }),
  z.object({ outcome: z.literal('slug-taken') }),
]);

const typedScript = z.object({
  /** As they are typed. */
  origins: z.array(z.string().max(300)).max(50).readonly(),
  waitsForConsent: z.boolean(),
});

const scriptProblems = z.array(z.enum(['slug', 'origins']));

/** `POST /api/accounts/:account/pages/script` → a page that is on. */
export const createScriptInput = typedScript.extend({ slug: z.string() });
export const createScriptReply = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), page }),
  z.object({ outcome: z.literal('invalid'), problems: scriptProblems }),
  z.object({ outcome: z.literal('slug-taken') }),
]);

/** `POST /api/accounts/:account/pages/:id/script` */
export const changeScriptInput = typedScript;
export const changeScriptReply = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('saved'), page }),
  z.object({ outcome: z.literal('invalid'), problems: scriptProblems }),
]);

/** `GET /api/accounts/:account/pages/:id/arrivals`, `GET /api/accounts/:account/server-arrivals`: whether clicks arrive. */
export const arrivalsReply = z.object({
  /** Null: no recent one. */
  last: z
    .object({
      at: z.string(),
      /** By its click id. */
      platform: z.string().nullable(),
      source: z.string().nullable(),
      campaign: z.string().nullable(),
      isTest: z.boolean(),
    })
    .nullable(),
  /** Of the last 30 days, without tests. */
  leads: z.number(),
});

/** `POST /api/accounts/:account/pages/:id`: saves nothing if the content has changed since `version`. */
export const changePageInput = z.object({ draft: pageDraft, version: z.string().max(100) });
export const changePageReply = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('saved'), page }),
  z.object({ outcome: z.literal('invalid'), problems }),
  /** `page`: as it is now. `changedBy`: who changed it last, if that was a while ago null. */
  z.object({ outcome: z.literal('changed-meanwhile'), page, changedBy: z.string().nullable() }),
]);

/** `POST /api/accounts/:account/pages/:id/switch` */
export const switchPageInput = z.object({ isOn: z.boolean() });
export const switchPageReply = z.object({ id: z.number(), isOn: z.boolean() });

/** `POST /api/accounts/:account/pages/:id/delete` */
export const deletePageReply = z.object({ id: z.number(), slug: z.string() });

/** `POST /api/accounts/:account/pages/images`: the bytes of an image → what the draft takes. */
export const storeImageReply = z.object({ src: z.string(), width: z.number(), height: z.number() });

/**
 * `POST /api/accounts/:account/pages/preview`, a form: `csrf` and the draft as JSON → HTML for a sandboxed frame. Stores
 * nothing, and shows what can be shown of a draft with problems.
 */
export const previewFields = { csrf: 'csrf', draft: 'draft' } as const;

export type ListedPage = z.output<typeof listedPage>;
export type PagesReply = z.output<typeof pagesReply>;
export type PageDraft = z.output<typeof pageDraft>;
export type Page = z.output<typeof page>;
export type DraftField = keyof PageDraft;
export type PageProblem = z.output<typeof problems>[number];
export type UnusableClicksReply = z.output<typeof unusableClicksReply>;
export type CheckPageReply = z.output<typeof checkPageReply>;
export type CreatePageInput = z.input<typeof createPageInput>;
export type CreatePageReply = z.output<typeof createPageReply>;
export type ScriptInput = z.input<typeof typedScript>;
export type ScriptProblem = z.output<typeof scriptProblems>[number];
export type CreateScriptInput = z.input<typeof createScriptInput>;
export type CreateScriptReply = z.output<typeof createScriptReply>;
export type ChangeScriptReply = z.output<typeof changeScriptReply>;
export type ArrivalsReply = z.output<typeof arrivalsReply>;
export type ChangePageInput = z.input<typeof changePageInput>;
export type ChangePageReply = z.output<typeof changePageReply>;
export type SwitchPageReply = z.output<typeof switchPageReply>;
export type DeletePageReply = z.output<typeof deletePageReply>;
export type StoreImageReply = z.output<typeof storeImageReply>;
