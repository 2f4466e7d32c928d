import { type Language, languages } from '@leadback/domain';
import { apiDescription } from './api-description.ts';
import { contentOf } from './content.ts';
import { errorsPage, sdksPage } from './pages.ts';
import { type NavigationLink, type Page, renderPage } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { referencePage } from './reference-page.ts';
import { requestsPage } from './requests-page.ts';
import { tryPage, tryPath } from './try-page.ts';

interface MarkdownPage {
  readonly path: string;
  readonly markdownPath: string;
  readonly title: string;
  /** Of a page that is also in these languages. */
  readonly translations?: Readonly<Record<Exclude<Language, 'en'>, { readonly title: string; readonly text: string }>>;
  /** For programs that choose what to read. */
  readonly summary: string;
  readonly text: string;
}

/** What a path has, or has in one of its languages. */
export interface SiteText {
  readonly path: string;
  readonly language?: Language | undefined;
  readonly text: string;
}

export interface Site {
  /** HTML. */
  readonly pages: readonly SiteText[];
  /** Markdown: the same texts. */
  readonly markdown: readonly SiteText[];
  /** See llmstxt.org. */
  readonly llmsText: string;
}

const translationsOf = (
  name: Parameters<typeof contentOf>[0],
  titles: { readonly es: string; readonly pt: string },
) => ({
  es: { title: titles.es, text: contentOf(name, 'es') },
  pt: { title: titles.pt, text: contentOf(name, 'pt') },
});

const markdownPages = (api: ReturnType<typeof apiDescription.parse>): MarkdownPage[] => [
  {
    path: '/docs',
    markdownPath: '/docs/guide.md',
    title: 'Guide',
    summary: 'report sales in two calls, with samples for JavaScript and curl',
    text: contentOf('guide.md'),
    translations: translationsOf('guide.md', { es: 'Guía', pt: 'Guia' }),
  },
  {
    path: '/docs/files',
    markdownPath: '/docs/files.md',
    title: 'Batches and files',
    summary: 'report many sales in one request, import a CSV file, or reconcile a month',
    text: contentOf('files.md'),
  },
  {
    path: '/docs/corrections',
    markdownPath: '/docs/corrections.md',
    title: 'Corrections and quality',
    summary: 'change the total of a sale or take it back, list sales, help platforms to match them',
    text: contentOf('corrections.md'),
  },
  {
    path: '/docs/webhooks',
    markdownPath: '/docs/webhooks.md',
    title: 'Webhooks',
    summary: 'be told what happens to each sale: register, verify, events, retries',
    text: contentOf('webhooks.md'),
  },
  {
    path: '/docs/sources',
    markdownPath: '/docs/sources.md',
    title: 'Sources',
    summary: 'connect a shop, payment service or tracker without code: what to click there, what counts, the click',
    text: contentOf('sources.md'),
  },
  {
    path: '/docs/sdks',
    markdownPath: '/docs/sdks.md',
    title: 'SDKs',
    summary: 'install and use the SDK for JavaScript, Python or PHP',
    text: sdksPage(),
  },
  {
    path: '/docs/reasons',
    markdownPath: '/docs/reasons.md',
    title: 'Reasons',
    summary: 'why a delivery was skipped, failed or waits, and what helps',
    text: contentOf('reasons.md'),
  },
  {
    path: '/docs/clicks',
    markdownPath: '/docs/clicks.md',
    title: 'Where clicks arrive',
    summary: 'landing page, script, server or own domain; the script in Tag Manager, shops and React',
    text: contentOf('clicks.md'),
  },
  {
    path: '/docs/campaigns',
    markdownPath: '/docs/campaigns.md',
    title: 'Campaigns',
    summary: 'the URLs of ads, click ids, and which campaign earned',
    text: contentOf('campaigns.md'),
    translations: translationsOf('campaigns.md', { es: 'Campañas', pt: 'Campanhas' }),
  },
  {
    path: '/docs/privacy',
    markdownPath: '/docs/privacy.md',
    title: 'Privacy',
    summary: 'personal data: what, why, where, how long, who gets them, how they are erased',
    text: contentOf('privacy.md'),
    translations: translationsOf('privacy.md', { es: 'Privacidad', pt: 'Privacidade' }),
  },
  {
    path: '/docs/reference',
    markdownPath: '/docs/reference.md',
    title: 'Reference',
    summary: 'every endpoint, field and response',
    text: referencePage(api),
  },
  {
    path: '/docs/requests',
    markdownPath: '/docs/requests.md',
    title: 'Requests and limits',
    summary: 'authentication, retries, idempotency, rate limits, test keys',
    text: requestsPage,
  },
  {
    path: '/docs/errors',
    markdownPath: '/docs/errors.md',
    title: 'Errors and warnings',
    summary: 'every error code: meaning, what to do, whether to retry; every warning',
    text: errorsPage(),
  },
  {
    path: '/docs/changelog',
    markdownPath: '/docs/changelog.md',
    title: 'Changelog',
    summary: 'what each release brings, and what an upgrade asks for',
    text: contentOf('changelog.md'),
  },
];

const tryTitle = { path: tryPath, title: 'Try it' };

const llmsText = (pages: readonly MarkdownPage[]): string =>
  `# Leadback API

> Report sales from a backend in two calls. Leadback tells ad platforms which click led to each sale.

## Documentation

${pages.map(({ title, markdownPath, summary }) => `- [${title}](${markdownPath}): ${summary}`).join('\n')}
- [OpenAPI 3.1](/openapi.json): the reference, for tools

${pages
  .filter(({ translations }) => translations)
  .map(({ title }) => title)
  .join(', ')}: with \`?lang=es\` in Spanish, with \`?lang=pt\` in Portuguese.
`;

/** A page in one of its languages, or one that is in English only. */
interface PageText extends MarkdownPage {
  readonly language?: Language | undefined;
}

const textsIn = ({ translations, ...page }: MarkdownPage): PageText[] =>
  translations
    ? languages.map((language) => ({
        ...page,
        translations,
        language,
        ...(language !== 'en' && translations[language]),
      }))
    : [page];

/** Marks links to pages that are not in the language of this one. */
const withLanguages = (html: string, translated: readonly string[]): string =>
  html.replaceAll(/<a href="(\/docs[^"#]*)/g, (whole, path: string) =>
    translated.includes(path) ? whole : `<a hreflang="en" href="${path}`,
  );

/** All pages of the documentation, made from the OpenAPI document. `assets` are the paths of style sheet and script. */
export const documentationSite = (document: string, assets: { style: string; script: string }): Site => {
  const api = apiDescription.parse(JSON.parse(document));
  const pages = markdownPages(api);
  const translated = pages.filter(({ translations }) => translations).map(({ path }) => path);
  const navigationIn = (language: Language): NavigationLink[] =>
    [...pages, tryTitle].map((page) => {
      const title = language !== 'en' && 'translations' in page ? page.translations?.[language].title : undefined;
      return { path: page.path, title: title ?? page.title, isEnglish: title === undefined };
    });
  const render = (page: Page): SiteText => {
    const layout = { navigation: navigationIn(page.language ?? 'en'), stylePath: assets.style };
    return { path: page.path, language: page.language, text: renderPage(layout, page) };
  };
  const textPages = pages.flatMap((page) => {
    // links to a heading fit each language
    const ids = renderMarkdown(page.text).headings.map(({ id }) => id);
    return textsIn(page).map(({ text, ...one }): Page => {
      const { html, headings } = renderMarkdown(text, ids);
      const isTranslation = one.language !== undefined && one.language !== 'en';
      return { ...one, main: isTranslation ? withLanguages(html, translated) : html, headings };
    });
  });
  const consolePage: Page = { ...tryTitle, main: tryPage(api), headings: [], scriptPath: assets.script };
  return {
    pages: [...textPages, consolePage].map(render),
    markdown: pages
      .flatMap(textsIn)
      .map(({ markdownPath, language, text }) => ({ path: markdownPath, language, text })),
    llmsText: llmsText(pages),
  };
};
