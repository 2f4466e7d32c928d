import type { Prepared } from './platform.ts';
import { dayMs, hourMs, minuteMs, secondMs } from './span.ts';

// a platform refuses a whole request for one event of more than seven days; the hour is for the way there
const ageMaxMs = 7 * dayMs - hourMs;
// two machines' clocks differ; Meta bears a minute
const aheadMaxMs = minuteMs;
const clampedAheadMaxMs = 5 * minuteMs;

export type EventTime = { readonly kind: 'timely'; readonly seconds: number } | Exclude<Prepared, { kind: 'event' }>;

/** When a conversion took place, in whole seconds since 1970; or why no platform that looks back a week would take it. */
export const eventTime = (createdAt: Date, nowMs: number): EventTime => {
  const aheadMs = createdAt.getTime() - nowMs;
  if (-aheadMs > ageMaxMs) return { kind: 'expired', reason: 'event_too_old' };
  if (aheadMs > clampedAheadMaxMs) return { kind: 'skipped', reason: 'event_in_future' };
  return { kind: 'timely', seconds: Math.floor((aheadMs > aheadMaxMs ? nowMs : createdAt.getTime()) / secondMs) };
};
