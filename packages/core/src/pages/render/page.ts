import { createHash } from 'node:crypto';
import type { Language, AskedField, ConsentScope, PageImage } from '@leadback/domain';
import { Eta, type TemplateFunction } from 'eta';
import markdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { type ConsentRequest, hashConsentText } from '@leadback/domain/keys';
import { pageMessages, type Notice } from './page-messages.ts';

// `<%= %>` escapes; `<%~ %>` does not and is used for our own style sheet and for sanitised text alone
export const eta = new Eta({ autoEscape: true, autoTrim: ['nl', false] });

/** The link to the page where visitors see and erase their data, for the foot of every other page. */
const dataLink = (language: Language): string =>
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

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

const white = '#ffffff';
const black = '#000000';

/** Black or white text for a background: the one with a contrast of at least 4.5 (WCAG AA). */
const inkOn = (color: string): string => (contrast(color, white) >= 4.5 ? white : black);

const styleText = `
:root{color-scheme:light dark;--ink:#17202a;--soft:#4d5968;--paper:#fff;--ground:#eef1f6;--line:#8b97a6;--wrong:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#b3bdc9;--paper:#1a212b;--ground:#0f141b;--line:#6f7d8f;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:34rem;background:var(--paper);overflow:hidden}
.hero{display:block;width:100%;height:auto;max-height:38vh;object-fit:cover}
.words{padding:clamp(1.5rem,6vw,3rem)}
.logo{display:block;max-width:60%;height:auto;max-height:3rem;margin:0 0 1.5rem}
h1{margin:0 0 1rem;font-size:clamp(1.65rem,6vw,2.35rem);line-height:1.18;letter-spacing:-.018em;text-wrap:balance;overflow-wrap:anywhere}
p,ul,ol{margin:0 0 1rem;overflow-wrap:anywhere}
.text{color:var(--soft)}
.text strong{color:var(--ink)}
.text ul,.text ol{padding-left:1.25rem}
.text li+li{margin-top:.35rem}
.text li::marker{color:var(--ink)}
form{margin:1.75rem 0 0;display:grid;gap:1.1rem}
.field{display:grid;gap:.35rem}
label{font-weight:600}
input[type=text],input[type=email],input[type=tel]{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.65rem;padding:.75rem .9rem;width:100%;min-height:3rem}
.problem{display:none;margin:0;font-size:.9375rem;color:var(--wrong)}
.field [aria-invalid=true],.field input:user-invalid{border-color:var(--wrong);box-shadow:inset 0 0 0 1px var(--wrong)}
[aria-invalid=true]~.problem,input:user-invalid~.problem{display:block}
.summary{border-left:4px solid var(--wrong);padding:.25rem 0 .25rem 1rem}
.summary ul{margin:.25rem 0 0;padding-left:1.1rem}
.summary p{margin:0;font-weight:600}
a{color:inherit;text-underline-offset:.15em}
.consent{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:start;font-size:.9375rem}
.consent input{margin:.2rem 0 0;width:1.35rem;height:1.35rem;accent-color:var(--accent)}
.consent label{font-weight:400;color:var(--soft)}
.consent p{margin:.25rem 0 0}
button{font:inherit;font-weight:650;color:var(--on-accent);background:var(--accent);border:1px solid color-mix(in srgb,var(--ink) 22%,transparent);border-radius:.65rem;padding:.9rem 1.25rem;min-height:3.25rem;width:100%;cursor:pointer;overflow-wrap:anywhere}
button:hover{filter:brightness(1.07)}
button:active{transform:translateY(1px)}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.privacy{margin:1.25rem 0 0;font-size:.9375rem}
.data{margin:1.75rem 0 0;font-size:.875rem;color:var(--soft)}
.preview{margin:0;padding:.6rem 1rem;background:var(--ink);color:var(--paper);text-align:center;font-size:.9375rem}
@media(min-width:36rem){body{padding:1.5rem;background:var(--ground)}main{border-radius:1.1rem;box-shadow:0 1px 2px rgb(0 0 0/.08),0 14px 44px rgb(0 0 0/.1)}}
@media(min-width:60rem){main.wide{max-width:64rem;display:grid;grid-template-columns:1fr 1fr}main.wide .preview{grid-column:1/-1}.hero{height:100%;max-height:none;min-height:30rem}}
@media(prefers-reduced-motion:no-preference){button{transition:filter .12s,transform .12s}}
@media(forced-colors:active){main{border:1px solid CanvasText}}
`;

const defaultAccent = '#1f4fd8';

/** The style sheet of a page: system fonts, light and dark, from 320 px wide. Its hash is in the CSP. */
export const pageStyle = (accentColor: string | null): string => {
  const accent = accentColor ?? defaultAccent;
  return `:root{--accent:${accent};--on-accent:${inkOn(accent)}}${styleText}`;
};

// paragraphs, line breaks, lists and emphasis; no HTML, no links, no images
const markdown = markdownIt('zero', { breaks: true }).enable(['emphasis', 'list', 'newline', 'escape']);

const allowed = { allowedTags: ['p', 'br', 'ul', 'ol', 'li', 'em', 'strong'], allowedAttributes: {} };

/** Renders the operator's text as HTML, and sanitizes the result in case the renderer lets markup through. */
const renderPageText = (text: string): string => sanitizeHtml(markdown.render(text), allowed);

/** A page, as it is stored or as somebody writes it. */
interface RenderedPage {
  readonly id: number;
  readonly language: Language;
  readonly title?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly buttonLabel?: string | null | undefined;
  readonly accentColor?: string | null | undefined;
  readonly logo?: PageImage | null | undefined;
  readonly hero?: PageImage | null | undefined;
  readonly askedFields: readonly AskedField[];
  readonly consentText?: string | null | undefined;
  readonly consentScope: ConsentScope;
  readonly privacyUrl?: string | null | undefined;
}

/** What differs each time a page is shown. */
export interface Shown {
  /** Empty for bots. */
  readonly token: string;
  /** Proves, with the token, what the page asked; empty for bots and previews. */
  readonly signature: string;
  readonly referrer: string;
  /** The values that the visitor entered before. */
  readonly entered?: Readonly<Partial<Record<AskedField, string | null>>>;
  readonly hasConsented?: boolean;
  readonly problems?: readonly AskedField[];
  readonly isPreview?: boolean;
}

/** For text between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => eta.config.escapeFunction(text);

const image = (name: string) =>
  `<% if (it.${name}) { %><img class="${name}" src="<%= it.${name}.src %>" alt="<%= it.${name}.alt %>"<% if (it.${name}.width && it.${name}.height) { %> width="<%= it.${name}.width %>" height="<%= it.${name}.height %>"<% } %>><% } %>`;

// The form has no action: it posts to the URL of the page, so that the query with the click parameters is kept.
// `novalidate`: the browser marks values that look invalid, but only the server decides.
const landingPageTemplate = compilePage(`<main<% if (it.hero) { %> class="wide"<% } %>>
<% if (it.isPreview) { %><p class="preview"><%= it.messages.preview %></p><% } %>
${image('hero')}
<div class="words">
${image('logo')}
<h1><%= it.title %></h1>
<div class="text"><%~ it.text %></div>
<form method="post" novalidate>
<% if (it.problems.length > 0) { %>
<div class="summary" role="alert"><p><%= it.messages.correct %></p><ul>
<% for (const { name, problem } of it.problems) { %><li><a href="#<%= name %>"><%= problem %></a></li><% } %>
</ul></div>
<% } %>
<% for (const field of it.fields) { %>
<div class="field"><label for="<%= field.name %>"><%= field.label %></label>
<input id="<%= field.name %>" name="<%= field.name %>" type="<%= field.type %>" autocomplete="<%= field.autocomplete %>" maxlength="<%= field.maxLength %>" value="<%= field.value %>" required<% if (field.isWrong) { %> aria-invalid="true" aria-describedby="<%= field.name %>-problem"<% } %><% if (field.isFirstWrong) { %> autofocus<% } %>>
<p class="problem" id="<%= field.name %>-problem"><%= field.problem %></p></div>
<% } %>
<% if (it.consentText) { %>
<div class="consent"><input type="checkbox" id="consent" name="consent" value="yes"<% if (it.hasConsented) { %> checked<% } %>><div><label for="consent"><%= it.consentText %></label>
<% if (it.privacyUrl) { %><p><a href="<%= it.privacyUrl %>" target="_blank" rel="noopener"><%= it.messages.privacy %></a></p><% } %></div></div>
<% } %>
<input type="hidden" name="asked" value="<%= it.consentRequest.scope %>"><input type="hidden" name="token" value="<%= it.token %>"><input type="hidden" name="proof" value="<%= it.consentRequest.textHash %>.<%= it.signature %>"><input type="hidden" name="referrer" value="<%= it.referrer %>">
<button><%= it.buttonLabel %></button>
</form>
<% if (it.privacyUrl && !it.consentText) { %><p class="privacy"><a href="<%= it.privacyUrl %>" target="_blank" rel="noopener"><%= it.messages.privacy %></a></p><% } %>
<%~ it.dataLink %>
</div>
</main>`);

const noticeTemplate = compilePage(
  `<main><div class="words"><h1><%= it.title %></h1><p class="text"><%= it.text %></p><%~ it.dataLink %></div></main>`,
);

const inputs: Record<AskedField, { readonly type: string; readonly autocomplete: string; readonly maxLength: number }> =
  {
    name: { type: 'text', autocomplete: 'name', maxLength: 200 },
    email: { type: 'email', autocomplete: 'email', maxLength: 254 },
    phone: { type: 'tel', autocomplete: 'tel', maxLength: 40 },
  };

const sourceOf = ({ src }: PageImage): string => (src.startsWith('/') ? "'self'" : new URL(src).origin);

/** Where the images of a page come from, for its content security policy. */
export const imageSources = ({ hero, logo }: Pick<RenderedPage, 'hero' | 'logo'>): string[] =>
  [hero, logo].flatMap((one) => (one ? [sourceOf(one)] : []));

/** The parts of a page that never differ and are expensive to make. */
interface PageParts {
  readonly style: string;
  readonly text: string;
  readonly consentRequest: ConsentRequest;
}

export const pageParts = ({ id, accentColor, text, consentText, consentScope }: RenderedPage): PageParts => ({
  style: pageStyle(accentColor ?? null),
  text: renderPageText(text ?? ''),
  consentRequest: {
    pageId: id,
    scope: consentText === null ? 'nothing' : consentScope,
    textHash: hashConsentText(consentText ?? null),
  },
});

/** Renders the page. All text from the operator and the visitor is escaped. */
export const renderLandingPage = (page: RenderedPage, parts: PageParts, shown: Shown): string => {
  const { language } = page;
  const messages = pageMessages[language];
  const { problems = [], entered = {} } = shown;
  const title = page.title ?? messages.title;
  return landingPageTemplate.call(eta, {
    ...shown,
    ...parts,
    messages,
    language,
    dataLink: dataLink(language),
    title,
    documentTitle: problems.length > 0 ? `${messages.error}: ${title}` : title,
    hero: page.hero,
    logo: page.logo,
    problems: problems.map((name) => ({ name, problem: messages.problem[name] })),
    fields: page.askedFields.map((name) => ({
      name,
      ...inputs[name],
      label: messages.label[name],
      problem: messages.problem[name],
      value: entered[name] ?? '',
      isWrong: problems.includes(name),
      isFirstWrong: problems[0] === name,
    })),
    consentText: page.consentText,
    privacyUrl: page.privacyUrl,
    buttonLabel: page.buttonLabel ?? messages.button,
  });
};

export const renderNotice = ({ title, text }: Notice, language: Language, style: string): string =>
  noticeTemplate.call(eta, { style, language, documentTitle: title, title, text, dataLink: dataLink(language) });

interface Framing {
  /** Shown in a frame of this app alone: it loads what a page may load, and neither submits nor opens anything. */
  readonly isPreview?: boolean;
}

/**
 * No scripts, one style sheet, these images, no framing; `data:` for an icon without a request. `form-action` is left
 * out on purpose: browsers apply it to all redirects after the form, and the target page may redirect to another host.
 */
export const contentSecurityPolicy = (
  style: string,
  images: readonly string[] = [],
  { isPreview = false }: Framing = {},
): string => {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `img-src ${['data:', ...new Set(images)].join(' ')}`,
    "base-uri 'none'",
    ...(isPreview ? ["frame-ancestors 'self'", "form-action 'none'", 'sandbox'] : ["frame-ancestors 'none'"]),
  ].join(';');
};

interface RenderedPreview {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** A page as visitors would see it, for a frame of the app that sends it. Its form cannot be submitted. */
export const renderPreview = (content: Omit<RenderedPage, 'id'>): RenderedPreview => {
  // no page is stored, so nothing is asked of anybody: the ids in the form are empty
  const page = { ...content, id: 0 };
  const parts = pageParts(page);
  return {
    html: renderLandingPage(page, parts, { token: '', signature: '', referrer: '' }),
    contentSecurityPolicy: contentSecurityPolicy(parts.style, imageSources(page), { isPreview: true }),
  };
};
