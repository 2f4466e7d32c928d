import type { LandingPage } from '@leadback/db';
import { Eta } from 'eta';
import { pageStyle } from './page-style.ts';

// `<%= %>` escapes; `<%~ %>` does not and is used for our own style sheet alone
const eta = new Eta({ autoEscape: true });

const frame = (title: string, main: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style><%~ it.style %></style>
</head>
<body><main>
${main}
</main></body>
</html>
`;

// The form has no action: it goes to the address of the page with its query, so that the marks of the click come along.
const landingPageTemplate = eta.compile(
  frame(
    '<%= it.title %>',
    `<h1><%= it.title %></h1>
<% for (const paragraph of it.paragraphs) { %><p><%= paragraph %></p>
<% } %><form method="post">
<% for (const field of it.fields) { %><label><%= field.label %>
<input type="<%= field.type %>" name="<%= field.name %>" autocomplete="<%= field.autocomplete %>" maxlength="254" required></label>
<% } %><% if (it.consentText) { %><label class="consent"><input type="checkbox" name="consent" value="yes"><span><%= it.consentText %></span></label>
<% } %><input type="hidden" name="referrer" value="<%= it.referrer %>">
<button><%= it.buttonLabel %></button>
</form>`,
  ),
);

const noticeTemplate = eta.compile(frame('<%= it.title %>', '<h1><%= it.title %></h1>\n<p><%= it.text %></p>'));

const fields = {
  name: { name: 'name', label: 'Name', type: 'text', autocomplete: 'name' },
  email: { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' },
  phone: { name: 'phone', label: 'Phone', type: 'tel', autocomplete: 'tel' },
};

/** The page as HTML. The visitor's referrer travels in the form, because the form's own request no longer has it. */
export const renderLandingPage = (page: LandingPage, referrer: string | null): string =>
  landingPageTemplate.call(eta, {
    style: pageStyle,
    title: page.title ?? 'One more step',
    paragraphs: (page.text ?? '').split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ''),
    fields: page.askedFields.map((field) => fields[field]),
    consentText: page.consentText,
    buttonLabel: page.buttonLabel ?? 'Continue',
    referrer: referrer ?? '',
  });

/** A plain page that says one thing. */
export const renderNotice = (title: string, text: string): string =>
  noticeTemplate.call(eta, { style: pageStyle, title, text });
