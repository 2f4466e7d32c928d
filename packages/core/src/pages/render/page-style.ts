import { inkOn } from './page-colors.ts';

const style = `
:root{color-scheme:light dark;--ink:#17202a;--soft:#4d5968;--paper:#fff;--ground:#eef1f6;--line:#8b97a6;--wrong:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#b3bdc9;--paper:#1a212b;--ground:#0f141b;--line:#6f7d8f;--wrong:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:34rem;background:var(--paper);overflow:hidden}
.hero{display:block;width:100%;height:auto;max-height:38vh;object-fit:cover}
.words{padding:clamp(1.5rem,6vw,3rem)}
.logo{display:block;max-width:60%;height:auto;max-height:3rem;margin:0 0 1.5rem}
h1{margin:0 0 1rem;font-size:clamp(1.65rem,6vw,2.35rem);line-height:1.18;letter-spacing:-.018em;text-wrap:balance;overflow-wrap:anywhere}
p,ul,ol{margin:0 0 1rem;overflow-wrap:anywhere}
.text{color:var(--soft)}
.text strong{color:var(--ink)}
.text ul,.text ol{padding-left:1.25rem}
.text li+li{margin-top:.35rem}
.text li::marker{color:var(--ink)}
form{margin:1.75rem 0 0;display:grid;gap:1.1rem}
.field{display:grid;gap:.35rem}
label{font-weight:600}
input[type=text],input[type=email],input[type=tel]{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.65rem;padding:.75rem .9rem;width:100%;min-height:3rem}
.problem{display:none;margin:0;font-size:.9375rem;color:var(--wrong)}
.field [aria-invalid=true],.field input:user-invalid{border-color:var(--wrong);box-shadow:inset 0 0 0 1px var(--wrong)}
[aria-invalid=true]~.problem,input:user-invalid~.problem{display:block}
.summary{border-left:4px solid var(--wrong);padding:.25rem 0 .25rem 1rem}
.summary ul{margin:.25rem 0 0;padding-left:1.1rem}
.summary p{margin:0;font-weight:600}
a{color:inherit;text-underline-offset:.15em}
.consent{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:start;font-size:.9375rem}
.consent input{margin:.2rem 0 0;width:1.35rem;height:1.35rem;accent-color:var(--accent)}
.consent label{font-weight:400;color:var(--soft)}
.consent p{margin:.25rem 0 0}
button{font:inherit;font-weight:650;color:var(--on-accent);background:var(--accent);border:1px solid color-mix(in srgb,var(--ink) 22%,transparent);border-radius:.65rem;padding:.9rem 1.25rem;min-height:3.25rem;width:100%;cursor:pointer;overflow-wrap:anywhere}
button:hover{filter:brightness(1.07)}
button:active{transform:translateY(1px)}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.privacy{margin:1.25rem 0 0;font-size:.9375rem}
.data{margin:1.75rem 0 0;font-size:.875rem;color:var(--soft)}
.preview{margin:0;padding:.6rem 1rem;background:var(--ink);color:var(--paper);text-align:center;font-size:.9375rem}
@media(min-width:36rem){body{padding:1.5rem;background:var(--ground)}main{border-radius:1.1rem;box-shadow:0 1px 2px rgb(0 0 0/.08),0 14px 44px rgb(0 0 0/.1)}}
@media(min-width:60rem){main.wide{max-width:64rem;display:grid;grid-template-columns:1fr 1fr}main.wide .preview{grid-column:1/-1}.hero{height:100%;max-height:none;min-height:30rem}}
@media(prefers-reduced-motion:no-preference){button{transition:filter .12s,transform .12s}}
@media(forced-colors:active){main{border:1px solid CanvasText}}
`;

const defaultAccent = '#1f4fd8';

/** The style sheet of a page: system fonts, light and dark, from 320 px wide. Its hash is in the CSP. */
export const pageStyle = (accentColor: string | null): string => {
  const accent = accentColor ?? defaultAccent;
  return `:root{--accent:${accent};--on-accent:${inkOn(accent)}}${style}`;
};
