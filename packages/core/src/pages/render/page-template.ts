import type { AskedField, ConsentScope, Language, PageImage } from '@leadback/domain';
import { type ConsentRequest, hashConsentText } from '@leadback/domain/keys';
import { compilePage, dataLink, eta } from './page-frame.ts';
import { pageStyle } from './page-style.ts';
import { renderPageText } from './page-text.ts';
import { type Notice, pageMessages } from './page-messages.ts';

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
export interface PageParts {
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
