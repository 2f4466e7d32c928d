import type { Outcome } from '@leadback/domain';
import { z } from 'zod';
import type { Judge } from '../judge-reply.ts';
import type { SendingMode } from '../platform.ts';
import { sanePauseMs } from '../retry-after.ts';
import { hourMs, secondMs } from '../span.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import { verdictOfGoogleReasons } from './codes.ts';
import { type GoogleError, googleErrorOf } from './error.ts';
import { wrongEventsOf } from './wrong-events.ts';

const acceptedSchema = {
  live: z.object({ requestId: z.string() }),
  // nothing was ingested, so a request id may be missing; the response must at least have no unknown fields
  test: z.strictObject({ requestId: z.string().optional(), fieldWarnings: z.array(z.unknown()).optional() }),
};

const nameShape = /^[\x21-\x7e]{1,200}$/;

// Google Ads API documentation, TOO_RECENT_EVENT
const newActionPauseMs = 6 * hourMs;

const pauseOf = (reasons: readonly string[], retryDelay: string | undefined): number | undefined => {
  if (reasons.includes('CONVERSION_ACTION_TOO_RECENTLY_CREATED')) return newActionPauseMs;
  return /^\d+(\.\d+)?s$/.test(retryDelay ?? '')
    ? sanePauseMs(Number.parseFloat(retryDelay ?? '') * secondMs)
    : undefined;
};

const outcomeOfError = (error: GoogleError, status: number, sent: number): Outcome => {
  const kind = verdictOfGoogleReasons(error.reasons) ?? verdictOfStatus(status < 400 ? error.code : status);
  const reason = `${error.reasons[0] ?? error.code}: ${error.message}`;
  if (kind === 'rejected') {
    const events = wrongEventsOf(error.violations, sent);
    return events === undefined ? { kind, reason } : { kind, reason, events };
  }
  const retryAfterMs = kind === 'refused' ? undefined : pauseOf(error.reasons, error.retryDelay);
  return retryAfterMs === undefined ? { kind, reason } : { kind, reason, retryAfterMs };
};

/** Reads an error of any Google API. `sent`: the number of events in the request. */
export const judgeGoogleError =
  (sent: number): Judge =>
  (json, { status }) => {
    const error = googleErrorOf(json);
    return error === undefined ? undefined : outcomeOfError(error, status, sent);
  };

/**
 * Reads the response to `events:ingest`. One invalid event rejects the whole request. A `requestId` means that all
 * events were accepted; with it the request status can be retrieved later. `sent`: the number of events.
 */
export const judgeGoogleAnswer =
  (mode: SendingMode, sent: number): Judge =>
  (json, answered) => {
    const refusal = judgeGoogleError(sent)(json, answered);
    if (refusal !== undefined) return refusal;
    const accepted = acceptedSchema[mode].safeParse(json);
    if (!accepted.success || answered.status < 200 || answered.status > 299) return undefined;
    const { requestId: request = '' } = accepted.data;
    // validated events have no request status (INVALID_REQUEST_ID of error.proto)
    return mode === 'live' && nameShape.test(request) ? { kind: 'delivered', request } : { kind: 'delivered' };
  };
