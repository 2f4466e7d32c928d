import type { EntityManager } from '@leadback/db';
import {
  type AccountId,
  askedFields,
  languages,
  type PageContent,
  pageFieldSchemas,
  type PageImage,
} from '@leadback/domain';
import { z } from 'zod';
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

const fields = pageFieldSchemas;
const image = clearable(z.string());
const alt = fields.alt.optional();

export const pageContentSchema = z.object({
  target: fields.targetUrl.optional(),
  mode: fields.mode.optional(),
  title: clearable(fields.title),
  text: clearable(fields.text),
  button: clearable(fields.buttonLabel),
  language: fields.language.optional(),
  accent: clearable(fields.accentColor),
  logo: image,
  logoAlt: alt,
  hero: image,
  heroAlt: alt,
  ask: z
    .string()
    .transform((typed) =>
      typed
        .split(',')
        .map((field) => field.trim())
        .filter((field) => field !== ''),
    )
    .pipe(fields.askedFields)
    .optional(),
  consent: clearable(fields.consentText),
  consentFor: fields.consentScope.optional(),
  privacy: clearable(fields.privacyUrl),
});

type TypedContent = z.output<typeof pageContentSchema>;

interface ImageChange {
  readonly now: PageImage | null | undefined;
  readonly typed: string | null | undefined;
  readonly alt: string | undefined;
}

const imageOf = async (em: EntityManager, accountId: AccountId, { now, typed, alt: newAlt }: ImageChange) => {
  if (typed) return takeImage(em, accountId, typed, newAlt ?? '');
  if (typed === null) return null;
  return newAlt !== undefined && now ? { ...now, alt: newAlt } : undefined;
};

/** The page that the content is for, with its images so far. */
interface Owner {
  readonly accountId: AccountId;
  readonly logo?: PageImage | null | undefined;
  readonly hero?: PageImage | null | undefined;
}

/** What was typed as content of a page. Uploads images: call it in the transaction that changes the page. */
export const takeContent = async (
  em: EntityManager,
  { accountId, logo, hero }: Owner,
  typed: TypedContent,
): Promise<Partial<PageContent>> => {
  const given = {
    targetUrl: typed.target,
    mode: typed.mode,
    title: typed.title,
    text: typed.text,
    buttonLabel: typed.button,
    language: typed.language,
    accentColor: typed.accent,
    askedFields: typed.ask,
    consentText: typed.consent,
    consentScope: typed.consentFor,
    privacyUrl: typed.privacy,
    logo: await imageOf(em, accountId, { now: logo, typed: typed.logo, alt: typed.logoAlt }),
    hero: await imageOf(em, accountId, { now: hero, typed: typed.hero, alt: typed.heroAlt }),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};
