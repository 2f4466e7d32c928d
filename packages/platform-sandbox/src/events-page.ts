import { createHash } from 'node:crypto';
import type { Behaviours } from './behaviour.ts';
import { countedConversions } from './counted-conversions.ts';
import { eventsPageStyle } from './events-page-style.ts';
import { type Html, html } from './html.ts';
import type { ReceivedEvent } from './received-events.ts';
import type { PlatformFacts } from './platform-facts.ts';

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
