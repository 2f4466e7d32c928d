/** The one style sheet of every page: system fonts, light and dark, from 320 px up. Its hash is in the CSP. */
export const pageStyle = `
:root{color-scheme:light dark;--ink:#17202a;--soft:#566373;--paper:#fff;--ground:#eef1f6;--line:#c9d1dc;--accent:#1f4fd8;--on-accent:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#a9b4c2;--paper:#1a212b;--ground:#0f141b;--line:#3a4656;--accent:#8ab0ff;--on-accent:#0b1220}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.25rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:34rem;background:var(--paper);border-radius:1rem;padding:clamp(1.5rem,6vw,3rem);box-shadow:0 1px 2px rgb(0 0 0/.08),0 12px 40px rgb(0 0 0/.08)}
h1{margin:0 0 1rem;font-size:clamp(1.6rem,6vw,2.25rem);line-height:1.2;letter-spacing:-.015em;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0 0 1rem;color:var(--soft);overflow-wrap:anywhere}
form{margin:1.75rem 0 0;display:grid;gap:1rem}
label{display:grid;gap:.35rem;font-weight:600}
label.consent{grid-template-columns:auto 1fr;gap:.65rem;align-items:start;font-weight:400;font-size:.9375rem;color:var(--soft)}
label.consent input{margin:.3rem 0 0;width:1.1rem;height:1.1rem;accent-color:var(--accent)}
input[type=text],input[type=email],input[type=tel]{font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.6rem;padding:.7rem .85rem;width:100%}
button{font:inherit;font-weight:650;color:var(--on-accent);background:var(--accent);border:0;border-radius:.6rem;padding:.9rem 1.25rem;width:100%;cursor:pointer}
button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;
