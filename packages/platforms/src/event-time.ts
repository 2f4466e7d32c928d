import type { Prepared } from './platform.ts';
import { dayMs, hourMs, minuteMs, secondMs } from './span.ts';

/** The oldest event that a platform takes, less an hour for the way there: one that is too old may fail its whole request. */
export const eventAgeMaxMs = { meta: 7 * dayMs - hourMs, tiktok: 7 * dayMs - hourMs, google: 90 * dayMs - hourMs };

// two machines' clocks differ; the platforms bear a minute
const aheadMaxMs = minuteMs;
const clampedAheadMaxMs = 5 * minuteMs;

export type EventTime = { readonly kind: 'timely'; readonly at: Date } | Exclude<Prepared, { kind: 'event' }>;

/** What a platform is told of when a conversion occurred; or why it would not take it. */
export const eventTime = (occurredAt: Date, nowMs: number, ageMaxMs: number): EventTime => {
  const aheadMs = occurredAt.getTime() - nowMs;
  if (-aheadMs > ageMaxMs) return { kind: 'skipped', reason: 'event_too_old' };
  if (aheadMs > clampedAheadMaxMs) return { kind: 'skipped', reason: 'event_in_future' };
  return { kind: 'timely', at: aheadMs > aheadMaxMs ? new Date(nowMs) : occurredAt };
};

/** Whole seconds since 1970. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / secondMs);
