import { createHash } from 'node:crypto';
import { type PlatformFacts, countedConversions, type ReceivedEvent } from './events.ts';
import { type Behaviours, switches, switchNames, switchOf } from './behaviour.ts';

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
ul { margin: 0 0 1rem; padding: 0; list-style: none; }
li { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; padding: .4rem 0; border-bottom: 1px solid var(--line); }
li > span { flex: 1 1 16rem; }
form { margin: 0; }
button { padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: var(--ink); font: inherit; font-size: .875rem; cursor: pointer; }
button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
a { color: inherit; }
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

interface Shown {
  /** Whether it reloads every three seconds; a keyboard loses its place then. */
  readonly isStill: boolean;
}

const button = (path: string, label: string, isPressed: boolean, { isStill }: Shown) => html`
      <form method="post" action="/switch/${path}${isStill ? '?still' : ''}"><button aria-pressed="${String(isPressed)}">${label}</button></form>`;

const delayOf = (delayMs: number) => (delayMs > 0 ? ` after ${delayMs / 1_000} s` : '');

const answersOf = (platforms: readonly PlatformFacts[], behaviours: Behaviours, shown: Shown) =>
  platforms.map(({ name }) => {
    const behaviour = behaviours.of(name);
    const { answer, times, delayMs = 0 } = behaviour;
    const pressed = switchOf(behaviour);
    return html`
    <li><span><b>${name}</b> responds <code>${answer}</code>${delayOf(delayMs)}${times === undefined ? '' : ` (${times} more)`}</span>${switchNames.map((one) => button(`${name}/${one}`, switches[one].label, one === pressed, shown))}</li>`;
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

/** The page of received events, newest first, with the switches of the platforms. */
export const eventsPage = (platforms: readonly PlatformFacts[], behaviours: Behaviours) => {
  const style = eventsPageStyle(platforms);
  const styleHash = createHash('sha256').update(style.text).digest('base64');
  return {
    /** Its content security policy: no scripts, no external resources; forms only to itself. */
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    of: (events: readonly ReceivedEvent[], shown: Shown): string =>
      html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    ${shown.isStill ? '' : html`<meta http-equiv="refresh" content="3">`}
    <title>${events.length} events · platform sandbox</title>
    <style>${style}</style>
  </head>
  <body>
    <h1>Platform sandbox</h1>
    <p>What the simulated platforms respond, until you press another button:</p>
    <ul>${answersOf(platforms, behaviours, shown)}</ul>
    ${button('reset', 'All platforms work again', false, shown)}
    <p>${events.length} events received${events.length > shownMax ? `; the newest ${shownMax} are shown` : ''}. ${shown.isStill ? html`<a href="/">Reload every three seconds</a>` : html`This page reloads every three seconds. <a href="/?still">Stop that</a>`}</p>
    <main>${list(countedConversions(platforms, events), events)}</main>
  </body>
</html>
`.text,
  };
};
