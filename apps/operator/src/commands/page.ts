import { readFile, stat } from 'node:fs/promises';
import { imageBytesMax, storeImage } from '@leadback/core/pages/images';
import {
  changePage as change,
  contentOf,
  findPage,
  createPage as create,
  deletePage as remove,
  previewUrls,
  releaseSlugs,
  renamePage as rename,
  switchPage as setPage,
} from '@leadback/core/pages/pages';
import { snippetsAt } from '@leadback/core/pages/script';
import { pageUrls, readDomainsOfPages } from '@leadback/core/domains/urls';
import { findAccount } from '@leadback/core/accounts/accounts';
import { type EntityManager, LandingPage, transaction } from '@leadback/db';
import {
  type AccountId,
  type PageImage,
  webAddressSchema,
  askedFields,
  languages,
  type PageContent,
  pageFieldSchemas,
  slugSchema,
} from '@leadback/domain';
import { z } from 'zod';
import { OperatorError, idSchema } from '../options.ts';
import { eachAccountOptions, eachAccountSchema, rowsOfEach } from '../each-account.ts';
import { command } from '../command.ts';
import { requireSetting } from '../settings.ts';

const readImage = async (path: string): Promise<Buffer> => {
  const { size } = await stat(path).catch(() => {
    throw new OperatorError(`${path}: no such file; expected a file to upload or an https URL`);
  });
  if (size > imageBytesMax)
    throw new OperatorError(`${path}: larger than ${imageBytesMax / 1024} KiB; make it smaller`);
  try {
    return await readFile(path);
  } catch {
    throw new OperatorError(`${path}: cannot be read; check its permissions`);
  }
};

/** `typed` is a URL, or the path of a file that is uploaded. */
const takeImage = async (em: EntityManager, accountId: AccountId, typed: string, alt: string): Promise<PageImage> => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) {
    const { success, data, error } = webAddressSchema.safeParse(typed);
    if (!success) throw new OperatorError(`${typed}: ${error.issues[0]?.message ?? 'not a URL'}`);
    return { src: data, alt };
  }
  const { src, ...size } = storeImage(em, accountId, await readImage(typed));
  return { src, alt, ...size };
};

/** An empty text removes a value. */
const pageContentOptions = [
  [
    '--target <url>',
    'target page: the URL to which visitors are redirected. In script mode, the start page of the first origin unless it is given',
  ],
  [
    '--mode <mode>',
    'page: visitors see the page and continue; direct: they are redirected at once; script: your own pages report them with a script. Default page',
  ],
  [
    '--origins <list>',
    'in script mode, the sites that have the script, separated by commas: https://shop.example,https://www.shop.example',
  ],
  [
    '--wait-for-consent <answer>',
    'yes: the line for your pages says that the script waits until the visitor agrees; no: it waits only where it finds a consent platform. Default no',
  ],
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
  [
    '--pass <names>',
    'parameters of the click that the target page gets. known: click ids and utm_*; none; or names with commas, besides the known ones. Default known',
  ],
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

const listed = z.string().transform((typed) =>
  typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
);

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
  ask: listed.pipe(fields.askedFields).optional(),
  origins: listed.pipe(fields.origins).optional(),
  waitForConsent: z
    .enum(['yes', 'no'])
    .transform((answer) => answer === 'yes')
    .optional(),
  consent: clearable(fields.consentText),
  consentFor: fields.consentScope.optional(),
  privacy: clearable(fields.privacyUrl),
  pass: fields.passedParameters.optional(),
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
    passedParameters: typed.pass,
    origins: typed.origins,
    waitsForConsent: typed.waitForConsent,
    logo: await imageOf(em, accountId, { now: logo, typed: typed.logo, alt: typed.logoAlt }),
    hero: await imageOf(em, accountId, { now: hero, typed: typed.hero, alt: typed.heroAlt }),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};

/** A page as commands that change it print it: with how people put it to use, and other URLs if it has some. */
const pageRow = async (
  em: EntityManager,
  landingUrl: string,
  { id, slug, ownSlug, account, mode, waitsForConsent }: LandingPage,
) => {
  const [url, ...others] = pageUrls(landingUrl, await readDomainsOfPages(em, account.id), { slug, ownSlug });
  return {
    id,
    slug: ownSlug ?? slug,
    ...(mode === 'script' ? { snippet: snippetsAt(url, waitsForConsent).snippet } : { url }),
    ...(others.length > 0 && { otherUrls: others }),
  };
};

export const changePage = command({
  name: 'page change',
  summary: 'change a page, within seconds everywhere; "" removes a value',
  argument: '<id>',
  options: pageContentOptions,
  input: pageContentSchema.extend({ id: idSchema }),
  run: ({ id, ...typed }, { em, landingUrl, actor }) =>
    transaction(em, async (tx) => {
      const { account, logo, hero } = await findPage(tx, { id });
      const content = await takeContent(tx, { accountId: account.id, logo, hero }, typed);
      await tx.flush();
      return pageRow(tx, landingUrl, (await change(tx, { actor, id, content, landingUrl })).page);
    }),
});

export const createPage = command({
  name: 'page create',
  summary: 'create a landing page',
  options: [
    ['--account <id>', 'account of the page'],
    ['--slug <slug>', 'path of the page: lower-case letters, digits and dashes'],
    ...pageContentOptions,
  ],
  input: pageContentSchema
    .extend({ account: idSchema, slug: slugSchema })
    .superRefine(({ mode, target, origins }, context) => {
      if (mode === 'script' && (origins ?? []).length === 0)
        context.addIssue({ code: 'custom', path: ['origins'], message: 'expected sites such as https://shop.example' });
      if (mode !== 'script' && target === undefined)
        context.addIssue({ code: 'custom', path: ['target'], message: 'expected the URL of a page' });
    }),
  run: ({ account: accountId, slug, ...typed }, { em, landingUrl, actor }) =>
    transaction(em, async (tx) => {
      await findAccount(tx, accountId);
      const content = await takeContent(tx, { accountId }, typed);
      return pageRow(tx, landingUrl, await create(tx, { actor, accountId, slug, content, landingUrl }));
    }),
});

export const showPage = command({
  name: 'page show',
  summary: 'show a page; in script mode, with what the sites put into their pages: one of the snippets',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, landingUrl }) {
    const page = await findPage(em, { id });
    const { account, slug, ownSlug, isOn, waitsForConsent, createdAt, changedAt } = page;
    const [url, ...others] = pageUrls(landingUrl, await readDomainsOfPages(em, account.id), { slug, ownSlug });
    return {
      id,
      accountId: account.id,
      slug: ownSlug ?? slug,
      url,
      ...(others.length > 0 && { otherUrls: others }),
      isOn,
      ...contentOf(page),
      ...(page.mode === 'script' && snippetsAt(url, waitsForConsent)),
      createdAt,
      changedAt,
    };
  },
});

export const listPages = command({
  name: 'page list',
  summary: 'list the landing pages of an account',
  options: eachAccountOptions('pages'),
  brief: ['accountId', 'id', 'slug', 'mode', 'isOn', 'title'],
  columns: ['id', 'slug', 'url', 'mode', 'isOn', 'title', 'language', 'target', 'createdAt', 'otherUrls'],
  input: eachAccountSchema,
  run: (wanted, { em, landingUrl }) =>
    rowsOfEach(em, wanted, async (account) => {
      const pages = await em.find(LandingPage, { account, deletedAt: null }, { orderBy: { id: 'asc' } });
      const domains = await readDomainsOfPages(em, account);
      return pages.map(({ id, slug, ownSlug, mode, isOn, title, language, targetUrl, createdAt }) => {
        const [url, ...others] = pageUrls(landingUrl, domains, { slug, ownSlug });
        return {
          id,
          slug: ownSlug ?? slug,
          url,
          mode,
          isOn,
          title,
          language,
          target: targetUrl,
          createdAt,
          ...(others.length > 0 && { otherUrls: others }),
        };
      });
    }),
});

export const previewPage = command({
  name: 'page preview',
  summary: 'print the URL that shows a page as it is now, on or off, without recording anything',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, landingUrl, secretsKeys }) {
    const { slug } = await findPage(em, { id });
    const urlOf = previewUrls(requireSetting('SECRETS_KEY', secretsKeys), landingUrl);
    return { id, slug, url: urlOf(id) };
  },
});

export const renamePage = command({
  name: 'page rename',
  summary: 'give a page another slug. Its former URL leads to the page for as long as it exists',
  argument: '<id>',
  options: [['--slug <slug>', 'path of the page: lower-case letters, digits and dashes']],
  input: z.object({ id: idSchema, slug: slugSchema }),
  async run({ id, slug }, { em, actor, landingUrl }) {
    return pageRow(em, landingUrl, await rename(em, { id, slug, actor }));
  },
});

export const deletePage = command({
  name: 'page delete',
  summary:
    'delete a page, within seconds everywhere. Its leads and their numbers stay. Its URL is for new pages of the account alone',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const { slug } = await remove(em, { actor, id });
    return { id, slug, state: 'deleted' };
  },
});

export const releasePage = command({
  name: 'page release',
  summary: 'give up the former URLs of a renamed page, or the URLs of a deleted one: any account can use them',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  run: async ({ id }, { em, actor }) => ({ id, released: await releaseSlugs(em, { actor, id }) }),
});

const switchPage = (verb: string, isOn: boolean, summary: string) =>
  command({
    name: `page ${verb}`,
    summary,
    argument: '<id>',
    input: z.object({ id: idSchema }),
    async run({ id }, { em, actor }) {
      const { slug } = await setPage(em, { actor, id, isOn });
      return { id, slug, isOn };
    },
  });

export const switchPageOff = switchPage('off', false, 'hide a page, within seconds everywhere; its leads stay');

export const switchPageOn = switchPage('on', true, 'show a page again');
