import { z } from 'zod';
import type { Judge } from '../judge-reply.ts';
import { sanePauseMs } from '../retry-after.ts';
import { hourMs, secondMs } from '../span.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import { googleErrorOf } from './error.ts';
import { verdictOfGoogleReasons } from './error-reasons.ts';

const acceptedSchema = z.object({ requestId: z.string() });

// Google Ads API documentation, TOO_RECENT_EVENT
const newActionPauseMs = 6 * hourMs;

const pauseOf = (reasons: readonly string[], retryDelay: string | undefined): number | undefined => {
  if (reasons.includes('CONVERSION_ACTION_TOO_RECENTLY_CREATED')) return newActionPauseMs;
  return /^\d+(\.\d+)?s$/.test(retryDelay ?? '')
    ? sanePauseMs(Number.parseFloat(retryDelay ?? '') * secondMs)
    : undefined;
};

/** Reads the answer to `events:ingest`. One wrong event refuses the whole request; `requestId` means that all were taken. */
export const judgeGoogleAnswer: Judge = (json, { status }) => {
  const error = googleErrorOf(json);
  if (error !== undefined) {
    const kind = verdictOfGoogleReasons(error.reasons) ?? verdictOfStatus(status < 400 ? error.code : status);
    const reason = `${error.reasons[0] ?? error.code}: ${error.message}`;
    const retryAfterMs = kind === 'unavailable' ? pauseOf(error.reasons, error.retryDelay) : undefined;
    return retryAfterMs === undefined ? { kind, reason } : { kind, reason, retryAfterMs };
  }

  const accepted = acceptedSchema.safeParse(json);
  return accepted.success && status >= 200 && status <= 299 ? { kind: 'delivered' } : undefined;
};
