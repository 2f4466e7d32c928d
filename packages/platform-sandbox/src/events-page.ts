import type { ReceivedEvent } from './received-events.ts';

const shownMax = 200;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

const row = ({ platform, receivedAt, connection, event }: ReceivedEvent) => `<details>
<summary><b class="${platform}">${platform}</b> <span>${escape(connection)}</span> <time>${escape(receivedAt)}</time></summary>
<pre>${escape(JSON.stringify(event, null, 2))}</pre>
</details>`;

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent)}
body{font:1rem/1.55 system-ui,sans-serif;max-width:56rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem;margin:0}
p{opacity:.75}
details{border-top:1px solid var(--line);padding:.6rem 0}
summary{display:flex;flex-wrap:wrap;gap:.35rem .9rem;align-items:baseline;cursor:pointer}
summary:focus-visible{outline:2px solid;outline-offset:2px}
b{min-width:4.5rem;text-align:center;border-radius:1rem;padding:.05rem .6rem;color:#fff}
.meta{background:#0a58c2}.google{background:#18794e}
time{margin-left:auto;opacity:.7;font-variant-numeric:tabular-nums}
pre{overflow-x:auto;background:color-mix(in srgb,currentColor 7%,transparent);border-radius:.5rem;padding:.9rem;font-size:.85rem}
`;

/** What both platforms have received, for people; it looks again by itself. */
export const renderEvents = (events: readonly ReceivedEvent[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="refresh" content="10">
<title>Platform sandbox</title>
<style>${style}</style>
</head>
<body>
<h1>What Meta and Google have received</h1>
<p>${events.length === 0 ? 'Nothing yet. Register a conversion, and it shows here.' : `${events.length} events, newest first${events.length > shownMax ? `; the newest ${shownMax} are shown` : ''}.`}</p>
${events.slice(0, shownMax).map(row).join('\n')}
</body>
</html>
`;
