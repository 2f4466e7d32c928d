import { eachString } from './each-string.ts';

// responses are short; the rest is dropped unread, so that a hostile one costs no time
const charactersMax = 65_536;
// shorter strings identify nothing, and redacting them would garble the text
const lengthMin = 4;
const struck = '[redacted]';

const telltales: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?/g, struck],
  // a JSON Web Token
  [/\beyJ[\w-]{10,2048}\.[\w-]{1,2048}(?:\.[\w-]{1,2048})?/g, struck],
  [
    // `REVOKED_ACCESS_TOKEN: …` is a code, and no token follows it
    /((?<!(?-i:(?:EXPIRED|INVALID|REVOKED)_(?=[A-Z_]+: )))(?:access_token|refresh_token|client_secret|app_secret|appsecret_proof|assertion)["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi,
    `$1${struck}`,
  ],
  [/(Bearer\s+)[^\s"']+/gi, `$1${struck}`],
  [/\b[0-9a-f]{64}\b/gi, struck],
  // bounded, because a long response without any @ would take seconds
  [/[^\s@"'<>:=,]{1,128}@[^\s@"'<>,]{1,255}/g, struck],
];

// PostgreSQL accepts no NUL in a text; other control characters are unreadable
const controlCharacter = /(?![\n\t])\p{Cc}/gu;

/** Normalizes escapes, so that `https:\/\/` and `\u0040`, which PHP writes, are found. */
const plainlyWritten = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
};

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
const isWrittenPlainly = /^[\p{L}\p{N} !#-[\]-~]*$/u;
const isAsciiWrittenPlainly = /^[ !#-[\]-~]*$/;

/** As it may stand in a text: plain, inside JSON, and inside JSON that is quoted inside JSON. */
const formsOf = (word: string): string[] =>
  isWrittenPlainly.test(word) ? [word] : [word, escaped(word), escaped(escaped(word))];

/** Every run of `lengthMin` characters in a text. */
const runsIn = (text: string): ReadonlySet<string> => {
  const runs = new Set<string>();
  for (let at = 0; at + lengthMin <= text.length; at += 1) runs.add(text.slice(at, at + lengthMin));
  return runs;
};

const cut = (text: string, bytesMax: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytesMax)).read);

/** Returns the redacted text, in at most `bytesMax` bytes. */
export type Redact = (text: string, bytesMax: number) => string;

/**
 * Returns a function that removes the given secrets (every string in them) and everything that looks like a token, a
 * hashed identifier or an email from a platform's response, so that it can be stored.
 */
export const redaction = (...secrets: readonly unknown[]): Redact => {
  // requests carry the data of a thousand people, and responses hardly ever any of it
  const foundIn = (text: string): string[] => {
    const found = new Set<string>();
    const runs = runsIn(text);
    eachString(secrets, (word) => {
      if (word.length < lengthMin) return;
      const beginning = word.slice(0, lengthMin);
      // all forms of the word begin with it
      if (!runs.has(beginning) && isAsciiWrittenPlainly.test(beginning)) return;
      for (const form of formsOf(word)) if (text.includes(form)) found.add(form);
    });
    // longest first: one secret may be part of another
    return [...found].toSorted((one, other) => other.length - one.length);
  };
  const lengthMax = () => {
    let most = 0;
    eachString(secrets, (word) => {
      most = Math.max(most, escaped(escaped(word)).length);
    });
    return most;
  };

  return (text, bytesMax) => {
    const whole = plainlyWritten(text);
    let clean = whole.slice(0, charactersMax);
    for (const word of foundIn(clean)) clean = clean.replaceAll(word, struck);
    for (const [telltale, replacement] of telltales) clean = clean.replace(telltale, replacement);
    // the end may contain the first part of a secret
    if (whole.length > charactersMax) clean = clean.slice(0, -Math.max(lengthMax(), 512));
    return cut(clean.replace(controlCharacter, ' ').toWellFormed(), bytesMax);
  };
};
