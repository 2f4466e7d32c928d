import { dayMs, hourMs, secondMs } from './span.ts';

/** The reason for events that are too old for a platform, found before or after sending. */
export const eventTooOld = 'event_too_old';

/**
 * The age in milliseconds up to which events are sent to a platform that accepts them for so many days, less an hour for
 * delivery: one event that is too old may fail its whole request.
 */
export const sendableAgeMs = (days: number): number => days * dayMs - hourMs;

/** Whole seconds since 1970. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / secondMs);
