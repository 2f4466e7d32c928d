import { type Language, type ClickedPage, platformNamed, type VisitorData, type VisitorLead } from '@leadback/domain';
import { visitorEn } from './texts-en.ts';
import { visitorEs } from './texts-es.ts';
import { visitorPt } from './texts-pt.ts';
import type { VisitorTexts, VisitorMessage, VisitorQuestion } from './visitor-texts.ts';
import { pageMessages } from '../render/page-messages.ts';
import { pageStyle, compilePage, eta } from '../render/page.ts';

const hidden = '***';
const firstOf = (text: string): string => Array.from(text)[0] ?? '';
const masked = (text: string): string => (text === '' ? '' : firstOf(text) + hidden);

/** `Ana García` → `A*** G***` */
export const maskName = (name: string): string => name.trim().split(/\s+/).map(masked).join(' ');

/** `ana@example.com` → `a***@e***.com` */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  if (at < 1) return hidden;
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  return `${masked(email.slice(0, at))}@${masked(host)}${dot < 0 ? '' : host.slice(dot)}`;
};

const digitsMin = 7;

/** `+54 9 11 2345-6712` → `+54 *** 12`; a number without its country shows only its last two digits. */
export const maskPhone = (phone: string): string => {
  const digits = phone.replaceAll(/\D/g, '');
  if (digits.length < digitsMin) return hidden;
  const country = phone.trim().startsWith('+') ? `+${digits.slice(0, 2)} ` : '';
  return `${country}${hidden} ${digits.slice(-2)}`;
};

/** `203.0.113.7` → `203.0.113.*`, `2001:db8:1:2::7` → `2001:db8:1:…` */
export const shortenAddress = (address: string): string => {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return address.replace(/\d+$/, '*');
  const groups = address.split('::')[0]?.split(':') ?? [];
  return `${groups.slice(0, 3).join(':')}:…`;
};

export const visitorTexts: Readonly<Record<Language, VisitorTexts>> = { en: visitorEn, es: visitorEs, pt: visitorPt };

/** A line of what the visitor sees. */
export interface Fact {
  readonly label: string;
  readonly values: readonly string[];
}

export const brandOf = (platform: string): string => platformNamed(platform)?.brand ?? platform;

/** In UTC: the server does not know where the visitor is. */
export const timeIn = (language: Language, time: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;

const titleOf = ({ title }: ClickedPage, language: Language): string => title ?? pageMessages[language].title;

const consentOf = (lead: VisitorLead, language: Language): string => {
  const { consents, withdrawnOn } = visitorTexts[language];
  if (lead.consentWithdrawnAt) return withdrawnOn(timeIn(language, lead.consentWithdrawnAt));
  if (lead.consent === null) return consents.unasked;
  if (lead.consent) return consents.given;
  return lead.consentScope === 'personalisation' ? consents.unpersonalised : consents.refused;
};

/** Contact data are masked: others may use the same browser. */
const contactOf = ({ name, email, phone, ipAddress }: VisitorData, language: Language): Fact[] => {
  const { labels } = visitorTexts[language];
  const facts = [
    { label: labels.name, value: name && maskName(name) },
    { label: labels.email, value: email && maskEmail(email) },
    { label: labels.phone, value: phone && maskPhone(phone) },
    { label: labels.address, value: ipAddress && shortenAddress(ipAddress) },
  ];
  return facts.flatMap(({ label, value }) => (value ? [{ label, values: [value] }] : []));
};

const registeredOf = ({ registered }: VisitorData, language: Language): Fact[] => {
  if (registered === null) return [];
  const { name, email, phone } = registered;
  const values = [name && maskName(name), email && maskEmail(email), phone && maskPhone(phone)];
  const shown = values.filter((value): value is string => value !== null && value !== '');
  return shown.length > 0 ? [{ label: visitorTexts[language].labels.registered, values: shown }] : [];
};

const campaignCharactersMax = 100;

/** Where they clicked, of a lead that is recorded or buffered. */
const describePage = ({ targetUrl }: ClickedPage, language: Language): Fact => ({
  label: visitorTexts[language].labels.advertiser,
  values: [new URL(targetUrl).hostname],
});

/** All that the page shows of a lead. */
const describeLead = (lead: VisitorLead, language: Language): Fact[] => {
  const { labels, signalSent, sentToNobody, sentOn } = visitorTexts[language];
  const campaign = Object.entries(lead.campaign).map(
    ([name, value]) => `${name.replace('utm_', '')}: ${value.slice(0, campaignCharactersMax)}`,
  );
  const told = lead.told.map(({ platform, at }) => sentOn(brandOf(platform), timeIn(language, at)));
  return [
    { label: labels.clicked, values: [timeIn(language, lead.clickedAt)] },
    describePage(lead, language),
    ...(campaign.length > 0 ? [{ label: labels.campaign, values: campaign }] : []),
    { label: labels.consent, values: [consentOf(lead, language)] },
    ...(lead.globalPrivacyControl ? [{ label: labels.signal, values: [signalSent] }] : []),
    ...(lead.own ? [...contactOf(lead.own, language), ...registeredOf(lead.own, language)] : []),
    { label: labels.told, values: told.length > 0 ? told : [sentToNobody] },
  ];
};

/** The style sheet of the pages on which visitors see and erase their data: that of landing pages, with lists. */
export const visitorStyle = `${pageStyle(null)}
section{margin:2rem 0 0;padding:1.5rem 0 0;border-top:1px solid var(--line)}
h2{margin:0 0 .75rem;font-size:1.25rem;line-height:1.3;overflow-wrap:anywhere}
dl{margin:0;display:grid;gap:.6rem}
dt{font-size:.9375rem;color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
section form{margin:1.25rem 0 0}
.plain{background:var(--paper);color:var(--ink);border-color:var(--line)}
.said{border-left:4px solid var(--accent);padding:.25rem 0 .25rem 1rem}
.hint{margin:0;font-size:.9375rem;color:var(--soft)}
pre{margin:.5rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.875rem}
`;

/** One lead on the page. */
export interface ShownLead {
  /** Names the lead in forms, for a short time: a reference would let its reader see the lead for ever. */
  readonly handle: string;
  /** Null: it is still buffered. */
  readonly lead: VisitorLead | null;
  readonly page: ClickedPage;
}

interface VisitorPage {
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
