import { createHash } from 'node:crypto';
import { type PlatformFacts, countedConversions, type ReceivedEvent } from './events.ts';
import type { Behaviours } from './behaviour.ts';

/** HTML text. Only `html` creates it, so that no page contains unescaped text. */
interface Html {
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Part = string | number | Html | readonly Html[];

const escaped = (part: Part): string => {
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return 'text' in part ? part.text : part.map(({ text }) => text).join('');
};

/** Escapes everything that is inserted into the template. */
const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  text: String.raw({ raw: strings }, ...parts.map(escaped)),
});

/** One column of cards, with the colour of the platform on the edge; supports light and dark mode. */
const eventsPageStyle = (platforms: readonly PlatformFacts[]): Html => html`
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f5f2, #16181d);
  --card: light-dark(#fff, #1e2128);
  --ink: light-dark(#1d1f24, #e8e6e1);
  --faint: light-dark(#6b6e76, #9a9da6);
  --line: light-dark(#e2dfd8, #2e323b);
}
body { max-width: 56rem; margin: 3rem auto; padding: 0 1.25rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.5rem; letter-spacing: -.01em; }
p, ul, time, span { color: var(--faint); }
ul { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 2rem; padding: 0; list-style: none; }
b { color: var(--ink); }
article { margin-bottom: 1rem; border: 1px solid var(--line); border-left: 4px solid var(--edge); border-radius: 6px; background: var(--card); }
article header { display: flex; flex-wrap: wrap; gap: 1rem; padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
article p { margin: 0; padding: .6rem 1rem 0; }
article header time { margin-left: auto; font-variant-numeric: tabular-nums; }
${platforms.map(
  ({ name, color }) => html`.${name} { --edge: ${color}; }
`,
)}pre { margin: 0; padding: .8rem 1rem; overflow: auto; font: .8125rem/1.5 ui-monospace, monospace; }
`;

const shownMax = 100;

const answersOf = (platforms: readonly PlatformFacts[], behaviours: Behaviours) =>
  platforms.map(({ name }) => {
    const { answer, times } = behaviours.of(name);
    return html`<li><b>${name}</b> responds <code>${answer}</code>${times === undefined ? '' : ` (${times} more)`}</li>`;
  });

type Counted = ReturnType<typeof countedConversions>;

const countedOf = (counted: Counted, received: ReceivedEvent) => {
  const conversion = counted.of(received);
  if (conversion === undefined) return '';
  const { id, value = 'no value', currency = '', events } = conversion;
  return html`<p>counted once as <code>${id}</code>: ${value} ${currency} after ${events} ${events === 1 ? 'event' : 'events'}</p>`;
};

const row = (counted: Counted, received: ReceivedEvent): Html => {
  const { platform, connection, receivedAt, event, testEventCode } = received;
  return html`
  <article class="${platform}">
    <header><b>${platform}</b> <span>${connection}</span>${testEventCode === undefined ? '' : ` test ${testEventCode}`} <time datetime="${receivedAt}">${receivedAt}</time></header>
    ${countedOf(counted, received)}<pre>${JSON.stringify(event, null, 2)}</pre>
  </article>`;
};

const list = (counted: Counted, events: readonly ReceivedEvent[]) =>
  events.length === 0
    ? html`<p>No events yet. They appear here as they arrive.</p>`
    : events.slice(0, shownMax).map((received) => row(counted, received));

/** The page of received events, newest first; it reloads every three seconds. */
export const eventsPage = (platforms: readonly PlatformFacts[], behaviours: Behaviours) => {
  const style = eventsPageStyle(platforms);
  const styleHash = createHash('sha256').update(style.text).digest('base64');
  return {
    /** Its content security policy: no scripts, no external resources. */
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    of: (events: readonly ReceivedEvent[]): string =>
      html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="refresh" content="3">
    <title>${events.length} events · platform sandbox</title>
    <style>${style}</style>
  </head>
  <body>
    <h1>Platform sandbox</h1>
    <p>${events.length} events received${events.length > shownMax ? `; the newest ${shownMax} are shown` : ''}.</p>
    <ul>${answersOf(platforms, behaviours)}</ul>
    <main>${list(countedConversions(platforms, events), events)}</main>
  </body>
</html>
`.text,
  };
};
