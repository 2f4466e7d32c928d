import { askedFields, type EntityManager, type LandingPage, landingPageModes, type PageImage } from '@leadback/db';
import { consentScopes, landingTargetSchema, languages, requiredText, webAddressSchema } from '@leadback/domain';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';
import { takeImage } from './take-image.ts';

/** What a page may be given when it is made and when it is changed. An empty text takes away what was there. */
export const pageContentOptions = [
  ['--target <url>', "the advertiser's own page, where visitors are sent on to"],
  ['--mode <mode>', 'page: visitors see it and go on; direct: they are sent on at once. Default page'],
  ['--title <text>', 'the heading'],
  ['--text <text>', 'Markdown: paragraphs, lists (- one), *emphasis* and **strong emphasis**'],
  ['--button <text>', 'the label of the button'],
  ['--language <code>', `of our own words on the page: ${languages.join(', ')}. Default en`],
  ['--accent <color>', 'the colour of the button, such as #1f4fd8'],
  ['--logo <image>', 'an image above the heading: a file to upload, or an https address'],
  ['--logo-alt <text>', 'what the logo says to those who do not see it'],
  ['--hero <image>', 'a large image beside the text: a file to upload, or an https address'],
  ['--hero-alt <text>', 'what the large image says to those who do not see it'],
  ['--ask <fields>', `what visitors are asked for, separated by commas: ${askedFields.join(',')}`],
  ['--consent <text>', 'what visitors are asked to agree to'],
  [
    '--consent-for <scope>',
    'what that is. sharing: of those who do not agree the platforms learn nothing; personalisation: the platforms are told that they may only count them. Default sharing',
  ],
  ['--privacy <url>', 'the privacy policy'],
] as const;

const clearable = <Value>(schema: z.ZodType<Value>) =>
  z
    .string('expected a text')
    .transform((typed, context): Value | null => {
      if (typed.trim() === '') return null;
      const { success, data, error } = schema.safeParse(typed);
      if (success) return data;
      for (const { message } of error.issues) context.addIssue(message);
      return z.NEVER;
    })
    .optional();

// together with the rest the page stays below 14 KB, compressed: what a network sends in its first go
const markdownText = z.string().max(3_000, 'longer than 3000 characters');
const image = clearable(z.string());
const alt = z.string().max(200, 'longer than 200 characters').optional();

/** The options as they are typed; undefined for what is not. */
export const pageContentSchema = z.object({
  target: landingTargetSchema.optional(),
  mode: z.enum(landingPageModes).optional(),
  title: clearable(requiredText(200)),
  text: clearable(markdownText),
  button: clearable(requiredText(200)),
  language: z.enum(languages).optional(),
  accent: clearable(
    z
      .string()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, 'expected a colour such as #1f4fd8'),
  ),
  logo: image,
  logoAlt: alt,
  hero: image,
  heroAlt: alt,
  ask: z
    .string()
    .transform((fields) => [...new Set(fields.split(',').map((field) => field.trim()))].filter((field) => field !== ''))
    .pipe(z.array(z.enum(askedFields)))
    .optional(),
  consent: clearable(requiredText(1_000)),
  consentFor: z.enum(consentScopes).optional(),
  privacy: clearable(webAddressSchema),
});

type PageContent = z.output<typeof pageContentSchema>;

interface ImageChange {
  readonly now: PageImage | null | undefined;
  readonly typed: string | null | undefined;
  readonly alt: string | undefined;
}

const imageOf = async (em: EntityManager, page: LandingPage, { now, typed, alt: newAlt }: ImageChange) => {
  if (typed) return takeImage(em, page.account, typed, newAlt ?? '');
  if (typed === null) return null;
  return newAlt !== undefined && now ? { ...now, alt: newAlt } : undefined;
};

/** Puts what was typed on a page; images are uploaded. What was not typed stays as it is. */
export const applyPageContent = async (em: EntityManager, page: LandingPage, content: PageContent): Promise<void> => {
  const given = {
    targetUrl: content.target,
    mode: content.mode,
    title: content.title,
    text: content.text,
    buttonLabel: content.button,
    language: content.language,
    accentColor: content.accent,
    askedFields: content.ask,
    consentText: content.consent,
    consentScope: content.consentFor,
    privacyUrl: content.privacy,
    logo: await imageOf(em, page, { now: page.logo, typed: content.logo, alt: content.logoAlt }),
    hero: await imageOf(em, page, { now: page.hero, typed: content.hero, alt: content.heroAlt }),
  };
  em.assign(page, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  if (page.mode === 'direct' && page.consentText) {
    throw new OperatorError('--consent: nobody sees a direct page, and so nobody can agree; take one of the two away');
  }
};
