import type { Outcome, Failure } from '@leadback/domain';
import { eachString } from './failures.ts';
import { dayMs, secondMs, parseJson, type Answered, type Reply } from './request.ts';
import type { Answer } from './definition.ts';

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
type Redact = (text: string, bytesMax: number) => string;

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

const seconds = /^\d+$/;
// the only one of the three forms of RFC 9110 that may still be sent; Date.parse would read "-5" as a year
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A pause requested by a platform, at most a day; `undefined` if it is not plausible. */
export const sanePauseMs = (pauseMs: number): number | undefined =>
  pauseMs >= 0 ? Math.min(pauseMs, dayMs) : undefined;

/** `Retry-After` (RFC 9110, section 10.2.3), in seconds or as a date. */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (seconds.test(text)) return sanePauseMs(Number(text) * secondMs);
  if (httpDate.test(text)) return sanePauseMs(Date.parse(text) - nowMs);
  return undefined;
};

const reasonBytesMax = 200;
// redaction costs time: after so many different reasons, events get the first one
const reasonsMax = 20;
const judgedBytesMax = 2048;

/** Reads a platform's response; `undefined` if it is not in the platform's format. */
export type Judge = (json: unknown, answered: Answered) => Outcome | undefined;

const outcomeOf = (reply: Reply, judge: Judge, nowMs: number): Outcome => {
  if (reply.kind === 'unreachable') return { kind: 'unavailable', reason: reply.code };

  // an HTML page or unknown JSON comes from a proxy or the like, whatever its status: only the platform can reject
  const outcome: Outcome = judge(parseJson(reply.body), reply) ?? {
    kind: reply.status === 429 ? 'throttled' : 'unavailable',
    reason: `HTTP ${reply.status}: unrecognized response`,
  };
  if (outcome.kind !== 'unavailable' && outcome.kind !== 'throttled') return outcome;
  if (outcome.retryAfterMs !== undefined) return outcome;
  const pauseMs = retryAfterMs(reply.headers['retry-after'], nowMs);
  return pauseMs === undefined ? outcome : { ...outcome, retryAfterMs: pauseMs };
};

const clean = (outcome: Outcome, redact: Redact): Outcome => {
  // many events may have the same reason
  const known = new Map<string, string>();
  const kept = (words: string): string => {
    const told = known.get(words);
    if (told !== undefined) return told;
    const [first] = known.values();
    if (first !== undefined && known.size >= reasonsMax) return first;
    const redacted = redact(words, reasonBytesMax);
    known.set(words, redacted);
    return redacted;
  };
  const cleaned = <Told extends { readonly reason: string }>(told: Told): Told => ({
    ...told,
    reason: kept(told.reason),
  });
  if (outcome.kind === 'delivered') {
    const { warning, events } = outcome;
    return {
      ...outcome,
      ...(warning !== undefined && { warning: redact(warning, reasonBytesMax) }),
      ...(events && { events: events.map((event) => ({ ...event, outcome: cleaned(event.outcome) })) }),
    };
  }
  if (outcome.kind !== 'rejected' || outcome.events === undefined) return cleaned(outcome);
  return { ...cleaned(outcome), events: outcome.events.map(cleaned) };
};

/** The outcome of a reply, and its redacted body. */
export const judgeReply = (
  reply: Reply,
  { judge, redact, nowMs }: { judge: Judge; redact: Redact; nowMs: number },
): Answer => {
  const outcome = outcomeOf(reply, judge, nowMs);
  return {
    outcome: clean(outcome, redact),
    httpStatus: reply.kind === 'answered' ? reply.status : null,
    body: reply.kind === 'answered' ? redact(reply.body, judgedBytesMax) : null,
  };
};

/** The meaning of an HTTP status if the platform's error is unknown. */
export const verdictOfStatus = (status: number): Failure => {
  if (status === 401 || status === 403) return 'refused';
  if (status === 429) return 'throttled';
  const isTemporary = status === 408 || status === 425;
  return status >= 400 && status < 500 && !isTemporary ? 'rejected' : 'unavailable';
};
