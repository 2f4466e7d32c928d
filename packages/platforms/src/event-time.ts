import { dayMs, hourMs, secondMs } from './span.ts';

/**
 * The age in milliseconds up to which events are sent to a platform that accepts them for so many days, less an hour for
 * delivery: one event that is too old may fail its whole request.
 */
export const sendableAgeMs = (days: number): number => days * dayMs - hourMs;

/** Whole seconds since 1970. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / secondMs);
