import { type Language, languages } from '@leadback/domain';
import { escapeHtml, type Heading } from './markdown.ts';

export interface NavigationLink {
  readonly path: string;
  readonly title: string;
  /** The page is in English, also for readers of another language. */
  readonly isEnglish: boolean;
}

interface Layout {
  readonly navigation: readonly NavigationLink[];
  readonly stylePath: string;
}

export interface Page {
  readonly path: string;
  /** Of a page that is in all languages. */
  readonly language?: Language | undefined;
  readonly title: string;
  /** HTML. */
  readonly main: string;
  readonly headings: readonly Heading[];
  /** The same page as Markdown, for programs. */
  readonly markdownPath?: string;
  readonly scriptPath?: string;
}

const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%231746b8%22/%3E%3Cpath d=%22M11 8H5m2.500-3L4.500 8l3 3%22 stroke=%22%23fff%22 stroke-width=%221.600%22 fill=%22none%22/%3E%3C/svg%3E';

const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Español', pt: 'Português' };

const textsIn = {
  en: {
    skip: 'Skip to the content',
    documentation: 'Documentation',
    contents: 'On this page',
    language: 'Language',
    programs: 'For programs',
  },
  es: {
    skip: 'Saltar al contenido',
    documentation: 'Documentación',
    contents: 'En esta página',
    language: 'Idioma',
    programs: 'Para programas',
  },
  pt: {
    skip: 'Pular para o conteúdo',
    documentation: 'Documentação',
    contents: 'Nesta página',
    language: 'Idioma',
    programs: 'Para programas',
  },
} as const satisfies Record<Language, unknown>;

const contents = (headings: readonly Heading[], label: string): string => {
  if (headings.length === 0) return '';
  const items = headings.map(
    ({ level, text, id }) => `<li${level === 3 ? ' class="deep"' : ''}><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="${label}" tabindex="0"><p>${label}</p><ul>${items.join('')}</ul></nav>`;
};

/** Where a page is in a language, whatever the browser prefers; from then on, so are the others. */
const inLanguage = (path: string, language: Language): string => `${path}?lang=${language}`;

const languageChoice = ({ path, language }: Page): string => {
  if (language === undefined) return '';
  const links = languages.map((one) => {
    const current = one === language ? ' aria-current="true"' : '';
    return `<li><a href="${inLanguage(path, one)}" hreflang="${one}" lang="${one}"${current}>${languageNames[one]}</a></li>`;
  });
  return `<nav class="languages" aria-label="${textsIn[language].language}"><ul>${links.join('')}</ul></nav>`;
};

const alternates = ({ path, language, markdownPath }: Page): string => {
  const asMarkdown = markdownPath && (language ? inLanguage(markdownPath, language) : markdownPath);
  return [
    ...(asMarkdown ? [`<link rel="alternate" type="text/markdown" href="${asMarkdown}">\n`] : []),
    ...(language === undefined
      ? []
      : [
          ...languages.map((one) => `<link rel="alternate" hreflang="${one}" href="${inLanguage(path, one)}">\n`),
          `<link rel="alternate" hreflang="x-default" href="${path}">\n`,
        ]),
  ].join('');
};

/** The HTML of a page. Loads nothing from other hosts. */
export const renderPage = ({ navigation, stylePath }: Layout, page: Page): string => {
  const { language = 'en' } = page;
  const texts = textsIn[language];
  const links = navigation.map(({ path, title, isEnglish }) => {
    const foreign = isEnglish && language !== 'en' ? ' hreflang="en" lang="en"' : '';
    return `<li><a href="${path}"${foreign}${path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  });
  const script = page.scriptPath ? `<script type="module" src="${page.scriptPath}"></script>\n` : '';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(page.title)} · Leadback API</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${stylePath}">
${alternates(page)}${script}</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header><a class="brand" href="/docs">Leadback API</a><nav aria-label="${texts.documentation}"><ul>${links.join('')}</ul></nav>${languageChoice(page)}</header>
<div class="page${page.headings.length > 0 ? ' split' : ''}">
${contents(page.headings, texts.contents)}
<main id="content">
${page.main}
</main>
</div>
<footer>${texts.programs}: <a href="/openapi.json">openapi.json</a>, <a href="/docs/llms.txt">llms.txt</a></footer>
</body>
</html>
`;
};
