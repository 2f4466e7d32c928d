import { eventTooOld, type Outcome } from '@leadback/domain';
import { z } from 'zod';
import {
  type CodeMeaning,
  type Codes,
  verdictOf,
  type ElementFailure,
  outcomeOfProcessed,
  outcomeOfUnprocessed,
  dayMs,
  minuteMs,
  type Judge,
  verdictOfStatus,
} from '../exchange.ts';
import type { PlatformEvent } from '../definition.ts';
import { access, app, disabled, method, other, signIn, token, version } from './remedies.ts';

const wrongMethod = '400 Incorrect conversions information provided';
const isDisabled = '400 … is disabled';
const noRule = '404 Conversion rule was not found';
// before anything that could be quoted from an event: an email, a URL
const disabledShape = /^[\w ():,.'-]{1,120} is disabled\b/;

// a code, else the HTTP status; or a status with the beginning of its message
const table: Codes['table'] = {
  INVALID_ACCESS_TOKEN: token,
  REVOKED_ACCESS_TOKEN: token,
  EXPIRED_ACCESS_TOKEN: token,
  401: token,
  403: access,
  VERSION_MISSING: version,
  NONEXISTENT_VERSION: version,
  426: version,
  410: version,
  [wrongMethod]: method,
  [isDisabled]: disabled,
  [noRule]: access,
  invalid_grant: signIn,
  invalid_request: signIn, // of the token endpoint
  invalid_client: app,
  unauthorized_client: app,
  400: 'rejected',
  413: 'rejected',
  422: 'rejected',
  429: 'throttled',
};

/** What distinguishes LinkedIn's errors. */
interface LinkedInCode {
  readonly status: number;
  readonly code?: string | undefined;
}

/**
 * The code of the reason: LinkedIn's own if its meaning is known, else the status. Sources: "API error handling" and
 * "Versioning" of the marketing API, rudder-transformer `linkedin_ads`.
 */
const reasonCodeOf = ({ status, code }: LinkedInCode): string =>
  code !== undefined && Object.hasOwn(table, code) ? code : String(status);

/**
 * The meaning of an error; `undefined` for an undocumented one. The message is compared only at its beginning, because
 * the rest may quote what was sent.
 */
const meaningOfLinkedInError = (reasonCode: string, message: string): CodeMeaning | undefined => {
  const said = [wrongMethod, noRule].find((one) => `${reasonCode} ${message}`.startsWith(one));
  if (said) return table[said];
  if (reasonCode === '400' && disabledShape.test(message)) return table[isDisabled];
  return Object.hasOwn(table, reasonCode) ? table[reasonCode] : undefined;
};

export const linkedinCodes: Codes = {
  table,
  meaningOf: (reason) => {
    const [, code = '', message = ''] = /^(\w+): (.*)/s.exec(reason) ?? [];
    return meaningOfLinkedInError(code, message);
  },
  otherRemedy: other,
};

interface NamedElement {
  readonly index: number;
  readonly words: string;
}

const line = /^Index: (\d+), ERROR :: (.+)$/gm;

/**
 * The elements that the message of a batch names, each once and with its first error, as in
 * `Index: 3, ERROR :: /user/userIds :: field is required`. Compared only at the beginning of a line: the rest may quote
 * what was sent, which has no line breaks. `sent`: the number of elements.
 */
const namedElements = (message: string, sent: number): NamedElement[] => {
  const words = new Map<number, string>();
  for (const [, digits, error = ''] of message.matchAll(line)) {
    const index = Number(digits);
    if (index < sent && !words.has(index)) words.set(index, error);
  }
  return Array.from(words, ([index, error]) => ({ index, words: error }));
};

const timeSchema = z.object({ conversionHappenedAt: z.number() });

// LinkedIn's words of 2026-08, as recorded by an integrator:
// "Conversion time should be within 90 days and not exceed current time, indices [0] (0-indexed)."
const shape = /^Conversion time should be within .*, indices \[([\d, ]+)\] \(0-indexed\)\.?$/;

const failureAt = (index: number, element: PlatformEvent | undefined, nowMs: number): ElementFailure => {
  const { data } = timeSchema.safeParse(element);
  const isRecent = data !== undefined && nowMs - data.conversionHappenedAt < dayMs;
  return isRecent
    ? { index, kind: 'unavailable', reason: "400: the event is ahead of LinkedIn's clock", retryAfterMs: minuteMs }
    : { index, kind: 'rejected', reason: eventTooOld };
};

/**
 * The events that LinkedIn rejects for their time; none if the message says something else. It says the same for
 * an event that is too old and one that lies in its future: a recent one is sent again, because only a clock is wrong.
 */
const timeFailures = (message: string, sent: readonly PlatformEvent[], nowMs: number): ElementFailure[] => {
  const indices = shape.exec(message)?.[1]?.split(',').map(Number) ?? [];
  return indices.filter((index) => index < sent.length).map((index) => failureAt(index, sent[index], nowMs));
};

const statusSchema = z.int().min(100).max(599);

const errorSchema = z.object({
  status: statusSchema.refine((status) => status >= 400),
  code: z.string().optional().catch(undefined),
  message: z.string(),
});
type LinkedInError = z.infer<typeof errorSchema>;

const createdSchema = z.object({
  elements: z.array(z.object({ status: statusSchema, error: z.object({ message: z.string() }).optional() })),
});

/** The failure of an error, and its reason. */
const failureOf = ({ status, code, message }: LinkedInError): Omit<ElementFailure, 'index'> => {
  const reasonCode = reasonCodeOf({ status, code });
  const kind = verdictOf(meaningOfLinkedInError(reasonCode, message)) ?? verdictOfStatus(status);
  return { kind, reason: `${reasonCode}: ${message}` };
};

const outcomeOfError = (error: LinkedInError, sent: readonly PlatformEvent[], nowMs: number): Outcome => {
  const failure = failureOf(error);
  if (failure.kind !== 'rejected') return failure;
  const failures = timeFailures(error.message, sent, nowMs);
  if (failures.length > 0) return outcomeOfUnprocessed(failures, sent.length);
  const events = namedElements(error.message, sent.length).map(({ index, words }) => ({
    index,
    reason: `${error.status}: ${words}`,
  }));
  return events.length === 0 ? failure : { ...failure, kind: 'rejected', events };
};

/**
 * Reads LinkedIn's response to a batch. An error means that no event was processed; otherwise each element has a status
 * of its own.
 */
export const judgeLinkedInResponse =
  (sent: readonly PlatformEvent[], nowMs: number): Judge =>
  (json, { status }) => {
    const failed = errorSchema.safeParse(json);
    if (failed.success) return outcomeOfError(failed.data, sent, nowMs);

    const created = createdSchema.safeParse(json);
    if (!created.success || status < 200 || status > 299) return undefined;
    const { elements } = created.data;
    if (elements.length !== sent.length) {
      return { kind: 'unavailable', reason: `answered ${elements.length} of ${sent.length} events` };
    }
    const failures = elements.flatMap((element, index) =>
      element.status < 400
        ? []
        : [{ index, ...failureOf({ status: element.status, message: element.error?.message ?? 'rejected' }) }],
    );
    return outcomeOfProcessed(failures, sent.length);
  };
