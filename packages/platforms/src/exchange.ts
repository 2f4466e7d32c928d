import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import got, { RequestError } from 'got';
import { z } from 'zod';
import type { Failure, FailedEvent, Language, Outcome } from '@leadback/domain';

export interface HttpResponse {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** The response, or a short code of the network failure that quotes neither the URL nor a token. */
export type Reply = HttpResponse | { readonly kind: 'unreachable'; readonly code: string };

export interface RequestContent {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** As it is sent. */
  readonly body?: string;
  readonly form?: Readonly<Record<string, string>>;
  /** Finds the addresses of the host. Default: DNS. */
  readonly dnsLookup?: LookupFunction;
  /** Aborts the request at a time limit that several requests share. */
  readonly signal?: AbortSignal;
  /** For the whole request, from DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
}

/**
 * Makes one request. Does not follow redirects, does not retry, and does not read responses of more than 1 MB (see
 * `RequestTuning`). Never throws.
 */
export type MakeRequest = (method: 'GET' | 'POST', content: RequestContent) => Promise<Reply>;

interface RequestTuning {
  /** Whether a connection is used for several requests. Default: yes. */
  readonly keepAlive?: boolean;
  /**
   * Of a longer body only so many bytes are read: the status says it all. Default: it is a failure if the body is longer
   * than 1 MB; naming thousands of rejected events takes some hundred kilobytes.
   */
  readonly bodyBytesRead?: number;
  /** PEM: trusted instead of the usual certificate authorities. */
  readonly certificateAuthority?: string | undefined;
}

const codeShape = /^[A-Z][A-Z0-9_]*$/;

const unreachable = (code: string): Reply => ({ kind: 'unreachable', code });

const bodyBytesMax = 1024 * 1024;

/** The body, measured after decompression; `undefined` if it is too long. */
const textOf = async (stream: AsyncIterable<Buffer>, bytesRead: number | undefined): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytesRead !== undefined && bytes > bytesRead) break;
    if (bytes > bodyBytesMax) return undefined;
  }
  return Buffer.concat(chunks).subarray(0, bytesRead).toString();
};

const failureCode = (error: unknown): string => {
  const code = error instanceof RequestError ? error.code : '';
  if (code === 'ERR_ABORTED') return 'ETIMEDOUT'; // only the time limit aborts a request
  return codeShape.test(code) ? code : 'ERR_UNKNOWN';
};

// Shorter if the server announces when it closes an idle connection, to which Node listens only beside a limit of our own: a
// request that crosses such an end is reset, although the platform is well.
const idleMaxMs = 30_000;

// reading reports the failure; a later error event is irrelevant, and without a listener it would end the process
const ignoreError = () => {};

export const createRequest = ({
  keepAlive = true,
  bodyBytesRead,
  certificateAuthority,
}: RequestTuning = {}): MakeRequest => {
  // each connection has few concurrent requests; many slow ones must not use up the sockets of others
  const connections = { keepAlive, maxSockets: 1_024, maxFreeSockets: 64, timeout: idleMaxMs };
  const client = got.extend({
    agent: { http: new http.Agent(connections), https: new https.Agent(connections) },
    // even if the environment disables it
    https: { rejectUnauthorized: true, ...(certificateAuthority && { certificateAuthority }) },
    followRedirect: false,
    retry: { limit: 0 }, // the retry schedule lives in PostgreSQL
    throwHttpErrors: false,
    headers: { 'user-agent': 'Leadback/1.0' },
  });

  return async (method, { timeoutMs, url, ...content }) => {
    const stream = client.stream(url, { ...content, method, timeout: { request: timeoutMs } });
    stream.on('error', ignoreError);
    try {
      const body = await textOf(stream, bodyBytesRead);
      if (body === undefined || stream.response === undefined) return unreachable('ANSWER_TOO_LONG');
      const { statusCode: status, headers } = stream.response;
      return { kind: 'answered', status, headers, body };
    } catch (error) {
      return unreachable(failureCode(error));
    } finally {
      // a request whose response came before it was fully sent does not end by itself and would still time out
      stream.destroy();
    }
  };
};

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A token or secret. It is sent in a header or form; a blank or line break in it is always a copy error. */
export const secretText = (expected: string) =>
  z
    .string({ error: expected })
    .trim()
    .regex(/^[\x21-\x7e]+$/, `${expected}, in one piece without blanks`);

/** Returns `undefined` if the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A text for the console in each language; the operator's command line prints the English one. */
export type Words = Readonly<Record<Language, string>>;

/** How an operator fixes a rejected connection. */
export interface Remedy {
  /** Why the platform rejects the connection and how to fix it, in full sentences. */
  readonly words: Words;
  /** The settings and credentials to enter again after the fix. */
  readonly change: readonly string[];
  /** Alternative kinds of credentials, of which the connection has one; that one is entered again as well. */
  readonly credentials?: readonly string[];
}

/** The meaning of an error code. A code that rejects the connection is listed with its remedy, so none lacks one. */
export type CodeMeaning = Exclude<Failure, 'refused'> | Remedy;

/** Everything that is known about a platform's error codes. */
export interface Codes {
  /** By code, as the platform writes it. */
  readonly table: Readonly<Record<string, CodeMeaning>>;
  /** Finds the meaning of a stored reason, which begins with the code. */
  meaningOf(reason: string): CodeMeaning | undefined;
  /** For rejections whose code is not in the table. */
  readonly otherRemedy: Remedy;
  /** What it means if `connection check` is rejected with this code, in full sentences. Missing: nothing in particular. */
  readonly rejectedChecks?: Readonly<Record<string, Words>>;
}

/** Codes that mean the same, for a table. */
export const each = (codes: readonly number[], meaning: CodeMeaning): Codes['table'] =>
  Object.fromEntries(codes.map((code) => [code, meaning]));

export const isRemedy = (meaning: CodeMeaning | undefined): meaning is Remedy => typeof meaning === 'object';

export const verdictOf = (meaning: CodeMeaning | undefined): Failure | undefined =>
  isRemedy(meaning) ? 'refused' : meaning;

/** Why a platform did not take one event of a request. */
export interface ElementFailure {
  /** The position of the event in the request. */
  readonly index: number;
  readonly kind: Failure;
  readonly reason: string;
  readonly retryAfterMs?: number;
}

const isTemporary = ({ kind }: ElementFailure) => kind === 'unavailable' || kind === 'throttled';

const temporaryOutcome = (failures: readonly ElementFailure[], reason: string): FailedEvent['outcome'] => {
  const kind = failures.some((failure) => failure.kind === 'throttled') ? 'throttled' : 'unavailable';
  const retryAfterMs = Math.max(...failures.map((failure) => failure.retryAfterMs ?? 0));
  return retryAfterMs > 0 ? { kind, reason, retryAfterMs } : { kind, reason };
};

/**
 * The outcome of a request of which the platform processed nothing, because of these events. `sent`: the number of
 * events. Rejected events are named, and the worker sends the others again. If some events failed only for now, none is
 * named: the worker then sends the request in halves until each of them fails alone.
 */
export const outcomeOfUnprocessed = (failures: readonly ElementFailure[], sent: number): Outcome => {
  const [first] = failures;
  if (first === undefined) return { kind: 'delivered' };
  const refused = failures.find(({ kind }) => kind === 'refused');
  if (refused !== undefined) return { kind: 'refused', reason: refused.reason };

  const rejected = failures.filter((failure) => !isTemporary(failure));
  const [wrong] = rejected;
  if (wrong !== undefined) {
    const reasons = new Map<number, string>();
    for (const { index, reason } of rejected) if (!reasons.has(index)) reasons.set(index, reason);
    return {
      kind: 'rejected',
      reason: wrong.reason,
      events: Array.from(reasons, ([index, reason]) => ({ index, reason })),
    };
  }
  const failed = new Set(failures.map(({ index }) => index));
  return failed.size < sent ? { kind: 'rejected', reason: first.reason } : temporaryOutcome(failures, first.reason);
};

/** A retry helps an event only if all of its failures are temporary. */
const outcomeOfEvent = (failures: readonly ElementFailure[]): FailedEvent['outcome'] => {
  const lasting = failures.find(({ kind }) => kind === 'refused') ?? failures.find((failure) => !isTemporary(failure));
  return lasting === undefined
    ? temporaryOutcome(failures, failures[0]?.reason ?? '')
    : { kind: lasting.kind, reason: lasting.reason };
};

/**
 * The outcome of a request that the platform processed: it accepted all events but these, and may not recognise one
 * that is sent twice. `sent`: the number of events.
 */
export const outcomeOfProcessed = (failures: readonly ElementFailure[], sent: number): Outcome => {
  const byEvent = Map.groupBy(failures, ({ index }) => index);
  if (byEvent.size === 0 || byEvent.size >= sent) return outcomeOfUnprocessed(failures, sent);
  return {
    kind: 'delivered',
    events: Array.from(byEvent, ([index, own]) => ({ index, outcome: outcomeOfEvent(own) })),
  };
};

/** Visits every string inside a value, at any depth. */
export const eachString = (value: unknown, visit: (text: string) => void): void => {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) eachString(inner, visit);
  }
};

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
export type Judge = (json: unknown, answered: HttpResponse) => Outcome | undefined;

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
  const cleaned = <Quoting extends { readonly reason: string }>(quoting: Quoting): Quoting => ({
    ...quoting,
    reason: kept(quoting.reason),
  });
  if (outcome.kind === 'delivered') {
    const { warning, warnings, events } = outcome;
    return {
      ...outcome,
      ...(warning !== undefined && { warning: redact(warning, reasonBytesMax) }),
      ...(warnings && { warnings: warnings.map((one) => ({ ...one, warning: kept(one.warning) })) }),
      ...(events && { events: events.map((event) => ({ ...event, outcome: cleaned(event.outcome) })) }),
    };
  }
  if (outcome.kind !== 'rejected' || outcome.events === undefined) return cleaned(outcome);
  return { ...cleaned(outcome), events: outcome.events.map(cleaned) };
};

/** `body` is at most 2 KB, without secrets and personal data. */
export interface PlatformResponse {
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly body: string | null;
}

/** The outcome of a reply, and its redacted body. */
export const judgeReply = (
  reply: Reply,
  { judge, redact, nowMs }: { judge: Judge; redact: Redact; nowMs: number },
): PlatformResponse => {
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
  const mayPass = status === 408 || status === 425;
  return status >= 400 && status < 500 && !mayPass ? 'rejected' : 'unavailable';
};
