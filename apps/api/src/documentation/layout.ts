import { escapeHtml, type Heading } from './markdown.ts';

export interface NavigationLink {
  readonly path: string;
  readonly title: string;
}

export interface Layout {
  readonly navigation: readonly NavigationLink[];
  readonly stylePath: string;
}

export interface Page {
  readonly path: string;
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

const contents = (headings: readonly Heading[]): string => {
  if (headings.length === 0) return '';
  const items = headings.map(
    ({ level, text, id }) => `<li${level === 3 ? ' class="deep"' : ''}><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page" tabindex="0"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
};

/** The HTML of a page. Loads nothing from other hosts. */
export const renderPage = ({ navigation, stylePath }: Layout, page: Page): string => {
  const links = navigation.map(
    ({ path, title }) =>
      `<li><a href="${path}"${path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`,
  );
  const asMarkdown = page.markdownPath
    ? `<link rel="alternate" type="text/markdown" href="${page.markdownPath}">\n`
    : '';
  const script = page.scriptPath ? `<script type="module" src="${page.scriptPath}"></script>\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(page.title)} · Leadback API</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${stylePath}">
${asMarkdown}${script}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/docs">Leadback API</a><nav aria-label="Documentation"><ul>${links.join('')}</ul></nav></header>
<div class="page${page.headings.length > 0 ? ' split' : ''}">
${contents(page.headings)}
<main id="content">
${page.main}
</main>
</div>
<footer>For programs: <a href="/openapi.json">openapi.json</a>, <a href="/docs/llms.txt">llms.txt</a></footer>
</body>
</html>
`;
};
