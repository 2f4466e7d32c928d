import { askedFields, type EntityManager, type LandingPage, landingPageModes, type PageImage } from '@leadback/db';
import { consentScopes, landingTargetSchema, languages, requiredText, webAddressSchema } from '@leadback/domain';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';
import { takeImage } from './take-image.ts';

/** An empty text removes a value. */
export const pageContentOptions = [
  ['--target <url>', 'target page: the URL to which visitors are redirected'],
  ['--mode <mode>', 'page: visitors see the page and continue; direct: they are redirected at once. Default page'],
  ['--title <text>', 'heading'],
  ['--text <text>', 'Markdown: paragraphs, lists (- one), *emphasis* and **strong emphasis**'],
  ['--button <text>', 'label of the button'],
  ['--language <code>', `language of the standard texts: ${languages.join(', ')}. Default en`],
  ['--accent <color>', 'colour of the button, such as #1f4fd8'],
  ['--logo <image>', 'an image above the heading: a file to upload or an https URL'],
  ['--logo-alt <text>', 'alternative text of the logo'],
  ['--hero <image>', 'a large image beside the text: a file to upload or an https URL'],
  ['--hero-alt <text>', 'alternative text of the large image'],
  ['--ask <fields>', `fields of the form, separated by commas: ${askedFields.join(',')}`],
  ['--consent <text>', 'text of the consent checkbox'],
  [
    '--consent-for <scope>',
    'what the consent covers. sharing: without it nothing is sent to the platforms; personalisation: without it events are sent for measurement only. Default sharing',
  ],
  ['--privacy <url>', 'URL of the privacy policy'],
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

// keeps the compressed page below 14 KB, the initial congestion window of TCP
const markdownText = z.string().max(3_000, 'longer than 3000 characters');
const image = clearable(z.string());
const alt = z.string().max(200, 'longer than 200 characters').optional();

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

/** Changes only what was typed and uploads images. Throws an OperatorError if a direct page would ask for consent. */
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
    throw new OperatorError(
      '--consent: a direct page is never shown, so visitors cannot agree; use --mode page or remove the consent text',
    );
  }
};
