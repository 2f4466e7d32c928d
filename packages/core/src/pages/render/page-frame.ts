import type { Language } from '@leadback/domain';
import { Eta, type TemplateFunction } from 'eta';
import { pageMessages } from './page-messages.ts';

// `<%= %>` escapes; `<%~ %>` does not and is used for our own style sheet and for sanitised text alone
export const eta = new Eta({ autoEscape: true, autoTrim: ['nl', false] });

/** The link to the page where visitors see and erase their data, for the foot of every other page. */
export const dataLink = (language: Language): string =>
  `<p class="data"><a href="/data" target="_blank" rel="noopener">${pageMessages[language].data}</a></p>`;

/** Compiles a page: `main` with what all pages have around it. It needs `language`, `documentTitle` and `style`. */
export const compilePage = (main: string): TemplateFunction =>
  eta.compile(`<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title><%= it.documentTitle %></title>
<style><%~ it.style %></style>
</head>
<body>
${main}
</body>
</html>
`);
