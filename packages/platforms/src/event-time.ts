import type { Prepared } from './platform.ts';
import { dayMs, hourMs, secondMs } from './span.ts';

/**
 * The oldest event that a platform accepts, less an hour for delivery: one event that is too old may fail its whole
 * request.
 */
export const eventAgeMaxMs = { meta: 7 * dayMs - hourMs, tiktok: 7 * dayMs - hourMs, google: 90 * dayMs - hourMs };

/** The reason for events that are too old for a platform, found before or after sending. */
export const eventTooOld = 'event_too_old';

export type EventTime = { readonly kind: 'timely'; readonly at: Date } | Exclude<Prepared, { kind: 'event' }>;

/**
 * The time of an event, or the reason to skip it. A conversion ahead of this machine's clock is sent with the current
 * time: the API has checked it against the database's clock, so only this machine's clock can be late.
 */
export const eventTime = (occurredAt: Date, nowMs: number, ageMaxMs: number): EventTime => {
  const ageMs = nowMs - occurredAt.getTime();
  if (ageMs > ageMaxMs) return { kind: 'skipped', reason: eventTooOld };
  return { kind: 'timely', at: ageMs < 0 ? new Date(nowMs) : occurredAt };
};

/** Whole seconds since 1970. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / secondMs);
