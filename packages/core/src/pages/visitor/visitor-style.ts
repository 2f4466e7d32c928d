import { pageStyle } from '../render/page-style.ts';

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
