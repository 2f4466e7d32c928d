import type { EventWarning, Failure, WrongEvent, Outcome } from '@leadback/domain';
import { z } from 'zod';
import {
  type CodeMeaning,
  type Codes,
  verdictOf,
  type Judge,
  sanePauseMs,
  verdictOfStatus,
  dayMs,
  hourMs,
  secondMs,
  minuteMs,
} from '../exchange.ts';
import { lastingTokenErrors } from '../oauth.ts';
import * as remedies from './remedies.ts';
import type { SendingMode, Finding } from '../definition.ts';

const serviceAccountPrefix = 'service_account_';

/** The code of a token endpoint's error for a service account, for which the same errors have another meaning. */
export const tokenErrorCode = (error: string): string => serviceAccountPrefix + error;

// google/ads/datamanager/v1/error.proto, google/rpc/code.proto
const table: Codes['table'] = {
  invalid_grant: remedies.consentAgain,
  UNAUTHENTICATED: remedies.accessToken,
  ACCESS_TOKEN_INVALID: remedies.accessToken,
  ACCESS_TOKEN_EXPIRED: remedies.accessToken,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: remedies.accessToken,
  invalid_client: remedies.oauthClient,
  unauthorized_client: remedies.oauthClient,
  ...Object.fromEntries(
    lastingTokenErrors.map((error) => [serviceAccountPrefix + error, remedies.serviceAccountKey] as const),
  ),
  PERMISSION_DENIED: remedies.access,
  INVALID_DESTINATION: remedies.account,
  OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH: remedies.account,
  DESTINATION_ACCOUNT_TYPE_MISMATCH: remedies.account,
  INVALID_CONVERSION_ACTION_ID: remedies.conversionAction,
  INVALID_CONVERSION_ACTION_TYPE: remedies.conversionAction,
  SERVICE_DISABLED: remedies.api,
  NOT_ALLOWLISTED: remedies.allowlist,
  TERMS_AND_CONDITIONS_NOT_SIGNED: remedies.terms,
  EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED: remedies.politicalAds,
  REQUIRED_PREREQUISITE_LINK_MISSING: remedies.link,
  EVENT_SOURCE_AND_DESTINATION_MISMATCH: remedies.eventSource,
  NO_CONSENT: remedies.advertiserConsent, // of the request status: the advertiser's, not the visitor's
  // the account may not use personal data; clicks are accepted nevertheless
  DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS: remedies.userData,
  DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED: remedies.userData,
  DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS: remedies.userData,
  INTERNAL_ERROR: 'unavailable',
  DEADLINE_EXCEEDED: 'unavailable',
  UNAVAILABLE: 'unavailable',
  INTERNAL: 'unavailable',
  ABORTED: 'unavailable',
  UNKNOWN: 'unavailable',
  CONVERSION_ACTION_TOO_RECENTLY_CREATED: 'unavailable',
  RESOURCE_EXHAUSTED: 'throttled',
  RATE_LIMIT_EXCEEDED: 'throttled',
};

const meaningOfGoogleReason = (reason: string): CodeMeaning | undefined => {
  if (Object.hasOwn(table, reason)) return table[reason];
  return reason.endsWith('_TERMS_NOT_SIGNED') ? remedies.terms : undefined;
};

// least harmful first: rejected events are lost, a rejected connection (`refused`) waits for the operator
const leastHarmfulFirst: readonly Failure[] = ['throttled', 'unavailable', 'refused'];

/**
 * The combined meaning of the reasons of an error. `undefined` if none of them says more than the HTTP status: most
 * describe an invalid event.
 */
const verdictOfGoogleReasons = (reasons: readonly string[]): Failure | undefined => {
  const known = new Set(reasons.map((reason) => verdictOf(meaningOfGoogleReason(reason))));
  return leastHarmfulFirst.find((verdict) => known.has(verdict));
};

/** Whether the account may not use personal data; clicks are accepted nevertheless. */
export const forbidsUserData = (reasons: readonly string[]): boolean =>
  reasons.some((reason) => meaningOfGoogleReason(reason) === remedies.userData);

export const googleCodes: Codes = {
  table,
  // a reason begins with Google's code (`invalid_grant`, `PERMISSION_DENIED`)
  meaningOf: (reason) => meaningOfGoogleReason(/^\w+(?=:)/.exec(reason)?.[0] ?? ''),
  otherRemedy: remedies.other,
};

/** A `FieldViolation` of google.rpc.BadRequest. */
interface FieldViolation {
  /** For example `events.events[3].currency`, or `events[3]`. */
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

const place = /^(?:events\.)?events\[(\d+)\]/;

/**
 * The events that an error names, each once and with its first reason. `sent`: the number of events in the request.
 * `undefined` if the error names anything else as well, because then the other events may be invalid too.
 */
export const wrongEventsOf = (violations: readonly FieldViolation[], sent: number): WrongEvent[] | undefined => {
  const reasons = new Map<number, string>();
  for (const { field, reason, description } of violations) {
    const index = Number(place.exec(field)?.[1] ?? sent);
    if (index >= sent) return undefined;
    if (!reasons.has(index)) reasons.set(index, [reason, description].filter(Boolean).join(': ') || 'INVALID_ARGUMENT');
  }
  return reasons.size === 0 ? undefined : Array.from(reasons, ([index, reason]) => ({ index, reason }));
};

const text = z.string().catch('');
const violationSchema = z.object({ field: text, reason: text, description: text });

const detailSchema = z.object({
  reason: text,
  fieldViolations: z.array(violationSchema).catch([]),
  /** Of google.rpc.RetryInfo: `"30s"`. */
  retryDelay: text,
  /** Of google.rpc.ErrorInfo. */
  metadata: z.object({ quota_limit: text }).catch({ quota_limit: '' }),
});

const bodySchema = z.object({
  error: z.object({
    code: z.number(),
    status: text,
    message: text,
    details: z.array(detailSchema).catch([]),
  }),
});

interface GoogleError {
  readonly code: number;
  /** From the most to the least specific. */
  readonly reasons: readonly string[];
  readonly message: string;
  readonly retryDelay: string | undefined;
  /** Whether the quota of the day is used up, not only that of the minute. */
  readonly isDayFull: boolean;
  readonly violations: readonly FieldViolation[];
}

/** Google's error body: a google.rpc.Status with ErrorInfo, BadRequest and RetryInfo among its details. */
export const googleErrorOf = (json: unknown): GoogleError | undefined => {
  const body = bodySchema.safeParse(json);
  if (!body.success) return undefined;
  const { code, status, message, details } = body.data.error;
  const violations = details.flatMap((detail) => detail.fieldViolations);
  const reasons = [...violations, ...details].map(({ reason }) => reason);
  return {
    code,
    reasons: [...new Set([...reasons, status])].filter((reason) => reason !== ''),
    message: violations.find(({ description }) => description !== '')?.description ?? message,
    retryDelay: details.find(({ retryDelay }) => retryDelay !== '')?.retryDelay,
    isDayFull: details.some(({ metadata }) => metadata.quota_limit.includes('PerDay')),
    violations,
  };
};

const reasonNameShape = /^[A-Z][A-Z0-9_]{0,99}$/;

const warningReason = z
  .string()
  .transform((reason) => reason.replace(/^WARNING_REASON_/, ''))
  .pipe(z.string().regex(reasonNameShape))
  .catch('UNSPECIFIED');

/** Fields that Google left out of events that it accepted: a `FieldWarning` each. Its words are not kept. */
const fieldWarnings = z
  .array(z.object({ field: text, reason: warningReason }).catch({ field: '', reason: 'UNSPECIFIED' }))
  .catch([]);

const acceptedSchema = {
  live: z.object({ requestId: z.string(), fieldWarnings }),
  // nothing was ingested, so a request id may be missing; the response must at least have no unknown fields
  test: z.strictObject({ requestId: z.string().optional(), fieldWarnings: fieldWarnings.optional().default([]) }),
};

type FieldWarnings = z.infer<typeof fieldWarnings>;

const fieldShape = /^[a-z][\w.[\]]{0,79}$/i;

/** The field within its event, if it is the name of one, and why it was left out. */
const leftOut = ({ field, reason }: FieldWarnings[number]): string => {
  const name = field.replace(place, '').replace(/^\./, '');
  return fieldShape.test(name) ? `${name} (${reason})` : reason;
};

const warningOf = (warnings: FieldWarnings): string => {
  const counts = new Map<string, number>();
  for (const warning of warnings) counts.set(leftOut(warning), (counts.get(leftOut(warning)) ?? 0) + 1);
  const counted = Array.from(counts, ([reason, count]) => `${reason} (${count})`);
  return `Google left out fields of events in the request: ${counted.join(', ')}`;
};

// further fields would not help the reader
const fieldsMax = 5;

/** Of each event that Google names its own fields, and of the others what is left. `sent`: the number of events. */
const warningsOf = (warnings: FieldWarnings, sent: number) => {
  const byEvent = Map.groupBy(warnings, ({ field }) => Number(place.exec(field)?.[1] ?? sent));
  const named = [...byEvent].filter(([index]) => index < sent);
  const unnamed = [...byEvent].flatMap(([index, own]) => (index < sent ? [] : own));
  const ofEvents = named.map(([index, own]): EventWarning => {
    const fields = [...new Set(own.map(leftOut))].slice(0, fieldsMax);
    return { index, warning: `Google left out fields of the event: ${fields.join(', ')}` };
  });
  return {
    ...(ofEvents.length > 0 && { warnings: ofEvents }),
    ...(unnamed.length > 0 && { warning: warningOf(unnamed) }),
  };
};

const nameShape = /^[\x21-\x7e]{1,200}$/;

// Google Ads API documentation, TOO_RECENT_EVENT
const newActionPauseMs = 6 * hourMs;

/** Google's days begin at midnight Pacific time. */
export const googleTimeZone = 'America/Los_Angeles';
const pacificClock = new Intl.DateTimeFormat('en-GB', { timeZone: googleTimeZone, timeStyle: 'medium' });

/** Exact but for the two days on which the clocks there change. */
const untilNextDayMs = (nowMs: number): number => {
  const [hours = 0, minutes = 0, seconds = 0] = pacificClock.format(nowMs).split(':').map(Number);
  return dayMs - hours * hourMs - minutes * minuteMs - seconds * secondMs;
};

const pauseOf = ({ reasons, retryDelay }: GoogleError): number | undefined => {
  if (reasons.includes('CONVERSION_ACTION_TOO_RECENTLY_CREATED')) return newActionPauseMs;
  return /^\d+(\.\d+)?s$/.test(retryDelay ?? '')
    ? sanePauseMs(Number.parseFloat(retryDelay ?? '') * secondMs)
    : undefined;
};

const outcomeOfError = (error: GoogleError, status: number, sent: number, nowMs: number): Outcome => {
  const kind = verdictOfGoogleReasons(error.reasons) ?? verdictOfStatus(status < 400 ? error.code : status);
  const reason = `${error.reasons[0] ?? error.code}: ${error.message}`;
  if (kind === 'rejected') {
    const events = wrongEventsOf(error.violations, sent);
    return events === undefined ? { kind, reason } : { kind, reason, events };
  }
  // the platform is well: this is no failure of the connection, and its circuit stays closed
  if (kind === 'throttled' && error.isDayFull) {
    return { kind: 'postponed', reason: 'quota', retryAfterMs: untilNextDayMs(nowMs) };
  }
  const retryAfterMs = kind === 'refused' ? undefined : pauseOf(error);
  return retryAfterMs === undefined ? { kind, reason } : { kind, reason, retryAfterMs };
};

/** Reads an error of any Google API. `sent`: the number of events in the request. */
export const judgeGoogleError =
  (sent: number, nowMs: number): Judge =>
  (json, { status }) => {
    const error = googleErrorOf(json);
    return error === undefined ? undefined : outcomeOfError(error, status, sent, nowMs);
  };

/**
 * Reads the response to `events:ingest`. One invalid event rejects the whole request. A `requestId` means that all
 * events were accepted; with it the request status can be retrieved later. `sent`: the number of events.
 */
export const judgeGoogleResponse =
  (mode: SendingMode, sent: number, nowMs: number): Judge =>
  (json, answered) => {
    const refusal = judgeGoogleError(sent, nowMs)(json, answered);
    if (refusal !== undefined) return refusal;
    const accepted = acceptedSchema[mode].safeParse(json);
    if (!accepted.success || answered.status < 200 || answered.status > 299) return undefined;
    const { requestId: request = '', fieldWarnings: warnings } = accepted.data;
    return {
      kind: 'delivered',
      // validated events have no request status (INVALID_REQUEST_ID of error.proto)
      ...(mode === 'live' && nameShape.test(request) && { request }),
      ...warningsOf(warnings, sent),
    };
  };

type Judged = Pick<Finding, 'meaning' | 'pauseMs'>;

// Google Ads API documentation, TOO_RECENT_EVENT; the Data Manager API names no time
const tooRecent: Judged = { meaning: 'again', pauseMs: 6 * hourMs };

/** A reason without the prefix that all of them share; one of them lacks `REASON_`. */
export const shortReason = (reason: string): string => {
  const name = reason.replace(/^PROCESSING_(ERROR|WARNING)_(REASON_)?/, '');
  return reasonNameShape.test(name) ? name : 'UNSPECIFIED';
};

/**
 * The meaning of a ProcessingErrorReason for the events that it counts
 * (google/ads/datamanager/v1/processing_errors.proto). `undefined`: Google has them already. An unknown reason counts
 * as failed.
 */
export const judgeProcessingError = (reason: string): Judged | undefined => {
  if (reason.startsWith('DUPLICATE_')) return undefined;
  if (reason.startsWith('TOO_RECENT_')) return tooRecent;
  if (reason === 'EVENT_TOO_OLD') return { meaning: 'too_old' };
  if (reason === 'INTERNAL_ERROR') return { meaning: 'again', pauseMs: 30 * minuteMs };
  if (reason.endsWith('_TERMS_NOT_SIGNED') || reason === 'NO_CONSENT') return { meaning: 'refused' };
  const isOfSettings = /_WITH_BRAID$|CUSTOM_VARIABLE|^EXTERNAL_ATTRIBUTION_DATA_MISSING$/.test(reason);
  return { meaning: isOfSettings ? 'settings' : 'failed' };
};
