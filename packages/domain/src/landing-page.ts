import { z } from 'zod';
import { landingTargetSchema } from './landing-target.ts';
import { languages } from './language.ts';
import { consentScopes } from './sharing.ts';
import { requiredText } from './text.ts';
import { webAddressSchema } from './web-address.ts';

/**
 * page: shows a page and records the lead when the visitor continues. direct: records the lead and redirects at once.
 */
export const landingPageModes = ['page', 'direct'] as const;
export const askedFields = ['name', 'email', 'phone'] as const;
export type AskedField = (typeof askedFields)[number];

/** An image on a page: served by the landing app (`/media/…`), or by another server over https. */
export interface PageImage {
  readonly src: string;
  /** Alternative text; empty for a decorative image. */
  readonly alt: string;
  /** In pixels, if known. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The most characters of each text of a page. */
export const pageTextsMax = { title: 200, text: 3_000, buttonLabel: 200, consentText: 1_000, alt: 200 } as const;

/** What the fields of a page accept. All but those of choices and the target page may be null as well: not set. */
export const pageFieldSchemas = {
  targetUrl: landingTargetSchema,
  mode: z.enum(landingPageModes),
  title: requiredText(pageTextsMax.title),
  // keeps the compressed page below 14 KB, the initial congestion window of TCP
  text: z.string().max(pageTextsMax.text, `longer than ${pageTextsMax.text} characters`),
  buttonLabel: requiredText(pageTextsMax.buttonLabel),
  language: z.enum(languages),
  accentColor: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'expected a colour such as #1f4fd8'),
  alt: z.string().max(pageTextsMax.alt, `longer than ${pageTextsMax.alt} characters`),
  askedFields: z.array(z.enum(askedFields)).transform((fields) => [...new Set(fields)]),
  consentText: requiredText(pageTextsMax.consentText),
  consentScope: z.enum(consentScopes),
  privacyUrl: webAddressSchema,
} as const;

type Accepted<Name extends keyof typeof pageFieldSchemas> = z.output<(typeof pageFieldSchemas)[Name]>;

/** All that people write into a page. */
export interface PageContent {
  readonly targetUrl: string;
  readonly mode: Accepted<'mode'>;
  readonly title: string | null;
  /** Markdown. */
  readonly text: string | null;
  readonly buttonLabel: string | null;
  readonly language: Accepted<'language'>;
  /** `#rrggbb` */
  readonly accentColor: string | null;
  readonly logo: PageImage | null;
  readonly hero: PageImage | null;
  readonly askedFields: readonly AskedField[];
  readonly consentText: string | null;
  readonly consentScope: Accepted<'consentScope'>;
  readonly privacyUrl: string | null;
}
