import type { LandingPage } from '@leadback/db';
import { askedFields, consentScopes, landingPageModes, languages } from '@leadback/domain';
import { z } from 'zod';

const imageSchema = z.object({
  src: z.string(),
  alt: z.string(),
  width: z.number().optional(),
  height: z.number().optional(),
});

const text = z.string().nullable();

/** What this app keeps of a page, in memory and on disk: what visitors see, and nothing about the account but its id. */
export const servedPageSchema = z.object({
  id: z.int(),
  accountId: z.int(),
  slug: z.string(),
  mode: z.enum(landingPageModes),
  targetUrl: z.url(),
  title: text,
  text,
  buttonLabel: text,
  askedFields: z.array(z.enum(askedFields)).readonly(),
  consentText: text,
  consentScope: z.enum(consentScopes),
  privacyUrl: text,
  language: z.enum(languages),
  accentColor: text,
  logo: imageSchema.nullable(),
  hero: imageSchema.nullable(),
  changedAtMs: z.number(),
});

export type ServedPage = Readonly<z.infer<typeof servedPageSchema>>;

export const servedPage = (page: LandingPage): ServedPage => ({
  id: page.id,
  accountId: page.account.id,
  slug: page.slug,
  mode: page.mode,
  targetUrl: page.targetUrl,
  title: page.title ?? null,
  text: page.text ?? null,
  buttonLabel: page.buttonLabel ?? null,
  askedFields: page.askedFields,
  consentText: page.consentText ?? null,
  consentScope: page.consentScope,
  privacyUrl: page.privacyUrl ?? null,
  language: page.language,
  accentColor: page.accentColor ?? null,
  logo: page.logo ?? null,
  hero: page.hero ?? null,
  changedAtMs: page.changedAt.getTime(),
});
