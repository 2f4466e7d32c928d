import type { ClickedPage, Language, VisitorLead } from '@leadback/domain';
import { compilePage, eta } from '../render/page-frame.ts';
import { type Fact, describeLead, describePage, titleOf } from './describe-lead.ts';
import { visitorTexts } from './texts.ts';
import type { VisitorMessage, VisitorQuestion } from './visitor-texts.ts';
import { visitorStyle } from './visitor-style.ts';

/** One lead on the page. */
export interface ShownLead {
  /** Names the lead in forms, for a short time: a reference would let its reader see the lead for ever. */
  readonly handle: string;
  /** Null: it is still buffered. */
  readonly lead: VisitorLead | null;
  readonly page: ClickedPage;
}

export interface VisitorPage {
  readonly leads: readonly ShownLead[];
  readonly message: VisitorMessage | undefined;
  /** Whether the leads are those of the browser, and not one that was looked up. */
  readonly isOfBrowser: boolean;
}

const listOf = (facts: string) =>
  `<dl><% for (const { label, values } of ${facts}) { %><div><dt><%= label %></dt><% for (const value of values) { %><dd><%= value %></dd><% } %></div><% } %></dl>`;

const pageTemplate = compilePage(`<main><div class="words">
<h1><%= it.texts.title %></h1>
<p class="text"><%= it.texts.intro %></p>
<% if (it.said) { %><p class="said" role="status"><%= it.said %></p><% } %>
<% if (it.isEmpty) { %><p><%= it.texts.nothing %></p><% } %>
<% for (const [index, lead] of it.leads.entries()) { %>
<section aria-labelledby="click-<%= index %>"><h2 id="click-<%= index %>"><%= lead.title %></h2>
<% if (lead.isBuffered) { %><p><%= it.texts.buffered %></p><% } %>
<% if (lead.isForeign) { %><p><%= it.texts.foreign %></p><% } %>
${listOf('lead.facts')}
<form method="post" action="/data/erase"><input type="hidden" name="handle" value="<%= lead.handle %>">
<% if (lead.canWithdraw) { %><button class="plain" formaction="/data/consent"><%= it.texts.withdraw %></button><% } %>
<button><%= lead.isForeign ? it.texts.ask : it.texts.erase %></button></form></section>
<% } %>
<section aria-labelledby="look-up"><h2 id="look-up"><%= it.texts.lookUpTitle %></h2>
<form method="post" action="/data"><div class="field"><label for="reference"><%= it.texts.labels.reference %></label>
<input type="text" id="reference" name="reference" maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="hint" required>
<p class="hint" id="hint"><%= it.texts.lookUpHint %></p></div>
<button class="plain"><%= it.texts.lookUp %></button></form></section>
<% if (!it.isOfBrowser) { %><p class="privacy"><a href="/data"><%= it.texts.all %></a></p><% } %>
</div></main>`);

/** The page on which visitors see what is stored of their clicks. */
export const renderVisitorPage = (language: Language, { leads, message, isOfBrowser }: VisitorPage): string => {
  const texts = visitorTexts[language];
  return pageTemplate.call(eta, {
    style: visitorStyle,
    language,
    documentTitle: texts.title,
    texts,
    said: message && texts.messages[message],
    isEmpty: leads.length === 0 && isOfBrowser && message !== 'notFound',
    isOfBrowser,
    leads: leads.map(({ handle, lead, page }) => ({
      handle,
      title: titleOf(page, language),
      isBuffered: lead === null,
      isForeign: lead?.own === null,
      canWithdraw: !lead?.consentWithdrawnAt,
      facts: lead ? describeLead(lead, language) : [describePage(page, language)],
    })),
  });
};

const confirmTemplate = compilePage(`<main><div class="words">
<h1><%= it.texts.title %></h1>
<p class="text"><%= it.texts.text %></p>
<form method="post" action="<%= it.action %>"><input type="hidden" name="handle" value="<%= it.handle %>"><input type="hidden" name="confirmed" value="yes">
<button><%= it.texts.yes %></button></form>
<p class="privacy"><a href="/data"><%= it.texts.no %></a></p>
</div></main>`);

/** Asks before something is done. */
export const renderQuestion = (language: Language, question: VisitorQuestion, handle: string): string => {
  const texts = visitorTexts[language].questions[question];
  const action = question === 'withdraw' ? '/data/consent' : '/data/erase';
  return confirmTemplate.call(eta, {
    style: visitorStyle,
    language,
    documentTitle: texts.title,
    texts,
    action,
    handle,
  });
};

const askedTemplate = compilePage(`<main><div class="words">
<h1><%= it.texts.title %></h1>
<p class="text"><%= it.texts.text %></p>
<p><a href="/data/receipt/<%= it.id %>"><%= it.texts.link %> <%= it.id %></a></p>
<p class="privacy"><a href="/data"><%= it.all %></a></p>
</div></main>`);

/** `id`: of the receipt. `isOwn`: the browser has left the lead; if not, the account decides. */
export const renderErasureAsked = (language: Language, id: string, isOwn: boolean): string => {
  const { asked, askedAccount, all } = visitorTexts[language];
  const texts = isOwn ? asked : askedAccount;
  return askedTemplate.call(eta, { style: visitorStyle, language, documentTitle: texts.title, texts, id, all });
};

const receiptTemplate = compilePage(`<main><div class="words">
<h1><%= it.texts.title %></h1>
<p class="said" role="status"><%= it.state %></p>
${listOf('it.facts')}
<% if (it.receipt) { %><section aria-labelledby="signed"><h2 id="signed"><%= it.texts.signedText %></h2><pre><%= it.receipt %></pre></section><% } %>
</div></main>`);

/** `receipt`: the signed text; null until there is one. */
export const renderReceipt = (
  language: Language,
  {
    state,
    facts,
    receipt,
  }: { readonly state: string; readonly facts: readonly Fact[]; readonly receipt: string | null },
): string => {
  const texts = visitorTexts[language].receipt;
  return receiptTemplate.call(eta, {
    style: visitorStyle,
    language,
    documentTitle: texts.title,
    texts,
    state,
    facts,
    receipt,
  });
};
