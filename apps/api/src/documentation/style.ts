/** The style sheet of all pages: system fonts, light and dark, from 320 px wide, without scripts. */
export const style = `
:root{color-scheme:light dark;--ink:#17202a;--soft:#4a5664;--paper:#fff;--ground:#f4f6f9;--line:#d5dbe3;--accent:#1746b8;--code:#eef1f6;--good:#0b6b3a}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf3;--soft:#b1bcc9;--paper:#12171e;--ground:#1a212b;--line:#384452;--accent:#9dbcff;--code:#212a36;--good:#7fdcaa}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.2em}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;padding:.5rem 1rem;background:var(--paper);z-index:1}
header{background:var(--ground);border-bottom:1px solid var(--line);padding:.9rem clamp(1rem,4vw,2.5rem);display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:baseline}
header .brand{font-weight:700;font-size:1.15rem;letter-spacing:-.01em;color:var(--ink);text-decoration:none}
header ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:0;list-style:none}
header li a{display:block;padding:.2rem 0;color:var(--soft);text-decoration:none}
header li a:hover{color:var(--accent)}
header li+li,.contents li+li{margin:0}
header .languages{margin-left:auto}
main a[hreflang]::after{content:" (" attr(hreflang) ")"}
header [aria-current]{color:var(--ink);font-weight:600;box-shadow:0 2px var(--accent)}
.page{display:grid;gap:0 3rem;max-width:78rem;margin:0 auto;padding:clamp(1rem,4vw,2.5rem)}
.contents{font-size:.9375rem;border:1px solid var(--line);border-radius:.6rem;padding:.75rem 1rem;margin-bottom:1.5rem}
.contents p{margin:0 0 .35rem;font-weight:600}
.contents ul{margin:0;padding:0;list-style:none;columns:15rem}
.contents li{break-inside:avoid;overflow-wrap:anywhere}
.contents .deep{padding-left:.9rem}
.contents a{display:block;padding:.15rem 0;color:var(--soft);text-decoration:none}
.contents a:hover{color:var(--accent)}
main{min-width:0;max-width:50rem}
h1{font-size:clamp(1.8rem,5vw,2.4rem);line-height:1.15;letter-spacing:-.02em;margin:0 0 1rem;text-wrap:balance}
h2{font-size:1.45rem;letter-spacing:-.01em;margin:3rem 0 .75rem;padding-top:1.5rem;border-top:1px solid var(--line)}
h3{font-size:1.15rem;margin:2.25rem 0 .5rem}
h4{font-size:1rem;margin:1.5rem 0 .5rem}
p,ul,ol{margin:0 0 1rem;overflow-wrap:anywhere}
li+li{margin-top:.3rem}
code{font:.9em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);border-radius:.3em;padding:.1em .3em;overflow-wrap:anywhere}
pre{background:var(--code);border-radius:.6rem;padding:1rem;margin:0 0 1.25rem;overflow-x:auto}
pre code{background:none;padding:0;overflow-wrap:normal}
.file{margin:1.25rem 0 .35rem;font:600 .875rem ui-monospace,monospace;color:var(--soft)}
.wide{overflow-x:auto;margin:0 0 1.25rem}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .9rem .5rem 0;border-bottom:1px solid var(--line);min-width:6rem}
td code{overflow-wrap:normal}
h3+p>code:only-child{display:inline-block;font-weight:600;color:var(--good);padding:.35rem .7rem}
fieldset,.try{border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.25rem;margin:0 0 1.25rem}
.try summary{cursor:pointer;font-weight:600}
.try form{display:grid;gap:.9rem;margin-top:1rem}
label{display:grid;gap:.25rem;font-weight:600}
label small{font-weight:400;color:var(--soft)}
input,textarea{font:.9375rem/1.5 ui-monospace,monospace;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:.4rem;padding:.5rem .65rem;width:100%}
textarea{min-height:11rem;resize:vertical}
button{font:inherit;font-weight:600;justify-self:start;min-height:2.75rem;padding:.4rem 1.4rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--paper);cursor:pointer}
footer{border-top:1px solid var(--line);padding:1.5rem clamp(1rem,4vw,2.5rem);color:var(--soft);font-size:.9375rem}
@media(min-width:62rem){.page.split{grid-template-columns:15rem minmax(0,1fr)}.contents{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto;border:0;padding:0;margin:0}.contents ul{columns:auto}}
@media print{header,.contents,.skip{display:none}}
`;
