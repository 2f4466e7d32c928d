import { type Html, html } from './html.ts';
import type { PlatformFacts } from './platform-facts.ts';

/** One column of cards, with the colour of the platform on the edge; supports light and dark mode. */
export const eventsPageStyle = (platforms: readonly PlatformFacts[]): Html => html`
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
