import { stringLeaves } from './string-leaves.ts';

// answers are short; what lies beyond is not looked at, so that a hostile one costs no time
const charactersMax = 65_536;
// shorter ones identify nobody, and to strike them out would garble every other word
const lengthMin = 4;
const struck = '[redacted]';

const telltales: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?/g, struck],
  // a JSON Web Token
  [/\beyJ[\w-]{10,2048}\.[\w-]{1,2048}(?:\.[\w-]{1,2048})?/g, struck],
  [
    /((?:access_token|refresh_token|client_secret|app_secret|appsecret_proof|assertion)["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi,
    `$1${struck}`,
  ],
  [/(Bearer\s+)[^\s"']+/gi, `$1${struck}`],
  [/\b[0-9a-f]{64}\b/gi, struck],
  // with bounds, for without them a long answer without any @ takes seconds
  [/[^\s@"'<>:=,]{1,128}@[^\s@"'<>,]{1,255}/g, struck],
];

// PostgreSQL takes no NUL in a text, and nobody reads the others
const controlCharacter = /(?![\n\t])\p{Cc}/gu;

/** One notation per character, so that `https:\/\/` and `\u0040`, which PHP writes, are found. */
const plainlyWritten = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
};

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

const cut = (text: string, bytesMax: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytesMax)).read);

/** Takes a text and gives what may be kept of it, in at most so many bytes. */
export type Redact = (text: string, bytesMax: number) => string;

/**
 * Makes what a platform answered fit to be kept: without the given secrets (every string in them) and without anything
 * that looks like a token, a hashed identifier or an e-mail address.
 */
export const redaction = (...secrets: readonly unknown[]): Redact => {
  const words = new Set<string>();
  for (const word of stringLeaves(secrets)) {
    // as it is, inside JSON, and inside JSON that is quoted inside JSON
    if (word.length >= lengthMin)
      words
        .add(word)
        .add(escaped(word))
        .add(escaped(escaped(word)));
  }
  // the longest first: one secret may be a part of another
  const ordered = [...words].toSorted((one, other) => other.length - one.length);

  return (text, bytesMax) => {
    const whole = plainlyWritten(text);
    let clean = whole.slice(0, charactersMax);
    for (const word of ordered) clean = clean.replaceAll(word, struck);
    for (const [telltale, replacement] of telltales) clean = clean.replace(telltale, replacement);
    // the end may hold the first half of a secret
    if (whole.length > charactersMax) clean = clean.slice(0, -Math.max(ordered[0]?.length ?? 0, 512));
    return cut(clean.replace(controlCharacter, ' ').toWellFormed(), bytesMax);
  };
};
