import { apiDescription } from './api-description.ts';
import { contentOf } from './content.ts';
import { errorsPage, sdksPage } from './pages.ts';
import { type Layout, type Page, renderPage } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { referencePage } from './reference-page.ts';
import { requestsPage } from './requests-page.ts';
import { tryPage, tryPath } from './try-page.ts';

interface MarkdownPage {
  readonly path: string;
  readonly markdownPath: string;
  readonly title: string;
  /** For programs that choose what to read. */
  readonly summary: string;
  readonly text: string;
}

export interface Site {
  /** HTML by path. */
  readonly pages: ReadonlyMap<string, string>;
  /** Markdown by path: the same texts. */
  readonly markdown: ReadonlyMap<string, string>;
  /** See llmstxt.org. */
  readonly llmsText: string;
}

const markdownPages = (api: ReturnType<typeof apiDescription.parse>): MarkdownPage[] => [
  {
    path: '/docs',
    markdownPath: '/docs/guide.md',
    title: 'Guide',
    summary: 'report sales in two calls, with samples for JavaScript and curl',
    text: contentOf('guide.md'),
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
    path: '/docs/campaigns',
    markdownPath: '/docs/campaigns.md',
    title: 'Campaigns',
    summary: 'the URLs of ads, click ids, and which campaign earned',
    text: contentOf('campaigns.md'),
  },
  {
    path: '/docs/privacy',
    markdownPath: '/docs/privacy.md',
    title: 'Privacy',
    summary: 'personal data: what, why, where, how long, who gets them, how they are erased',
    text: contentOf('privacy.md'),
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
`;

const pageOf = ({ text, ...page }: MarkdownPage): Page => {
  const { html, headings } = renderMarkdown(text);
  return { ...page, main: html, headings };
};

/** All pages of the documentation, made from the OpenAPI document. `assets` are the paths of style sheet and script. */
export const documentationSite = (document: string, assets: { style: string; script: string }): Site => {
  const api = apiDescription.parse(JSON.parse(document));
  const texts = markdownPages(api);
  const layout: Layout = { navigation: [...texts, tryTitle], stylePath: assets.style };
  const consolePage: Page = { ...tryTitle, main: tryPage(api), headings: [], scriptPath: assets.script };
  return {
    pages: new Map([...texts.map(pageOf), consolePage].map((page) => [page.path, renderPage(layout, page)])),
    markdown: new Map(texts.map(({ markdownPath, text }) => [markdownPath, text])),
    llmsText: llmsText(texts),
  };
};
