import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { consentScopes } from './contact.ts';
import { requiredText } from './fields.ts';
import { landingTargetSchema, originsSchema, passedParametersSchema, webAddressSchema } from './landing-target.ts';

/** Languages of the built-in texts of landing pages. */
export const languages = ['en', 'es', 'pt'] as const;
export type Language = (typeof languages)[number];

/**
 * page: shows a page and records the lead when the visitor continues. direct: records the lead and redirects at once. script: the
 * script on the advertiser's own pages reports the lead.
 */
export const landingPageModes = ['page', 'direct', 'script'] as const;
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
  passedParameters: passedParametersSchema,
  origins: originsSchema,
  waitsForConsent: z.boolean(),
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
  /** See `passedParametersSchema`. */
  readonly passedParameters: string;
  /** Of the pages that have the script, in the mode `script` alone. */
  readonly origins: readonly string[];
  /** Whether the tag of the script says that it waits until the visitor agrees, also where it finds no consent platform. */
  readonly waitsForConsent: boolean;
}

/**
 * Paths that are no landing pages: those of landing and of what stands beside it (`data`: the page on which visitors see
 * and erase their data), and those at which load balancers commonly ask for health.
 */
export const reservedSlugs: readonly string[] = [
  'data preview media well-known robots favicon api docs console leadback',
  'health healthz healthcheck health-check ready readyz readiness live livez liveness status ping metrics',
].flatMap((names) => names.split(' '));

export const isReservedSlug = (slug: string): boolean => reservedSlugs.includes(slug);

/** The path of a landing page: lower-case letters, digits and single dashes between them, at most 64 characters. */
export const slugSchema = z
  .string()
  .max(64, 'longer than 64 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case letters, digits and single dashes between them')
  .refine((slug) => !isReservedSlug(slug), 'reserved: Leadback or its load balancer uses this path; choose another');

/** Media types of images by extension. No SVG: it may run scripts if opened directly. */
export const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** A new unguessable name. Names are never reused, so images can be cached forever. */
export const newImageName = (extension: string): string => `${randomBytes(16).toString('base64url')}.${extension}`;

const shape = new RegExp(`^[\\w-]{22}\\.(${Object.keys(imageTypes).join('|')})$`);

export const isImageName = (name: string): boolean => shape.test(name);
