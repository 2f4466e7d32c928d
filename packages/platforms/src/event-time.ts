import type { Prepared } from './platform.ts';
import { dayMs, hourMs, secondMs } from './span.ts';

/** The oldest event that a platform takes, less an hour for the way there: one that is too old may fail its whole request. */
export const eventAgeMaxMs = { meta: 7 * dayMs - hourMs, tiktok: 7 * dayMs - hourMs, google: 90 * dayMs - hourMs };

/** Why an event is not sent that a platform would not take any more, or was sent too late for it. */
export const eventTooOld = 'event_too_old';

export type EventTime = { readonly kind: 'timely'; readonly at: Date } | Exclude<Prepared, { kind: 'event' }>;

/**
 * What a platform is told of when a conversion occurred; or why it would not take it. One that is ahead is sent as of
 * now: the API has bounded it by the database's clock, and only this machine's may be behind.
 */
export const eventTime = (occurredAt: Date, nowMs: number, ageMaxMs: number): EventTime => {
  const ageMs = nowMs - occurredAt.getTime();
  if (ageMs > ageMaxMs) return { kind: 'skipped', reason: eventTooOld };
  return { kind: 'timely', at: ageMs < 0 ? new Date(nowMs) : occurredAt };
};

/** Whole seconds since 1970. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / secondMs);
