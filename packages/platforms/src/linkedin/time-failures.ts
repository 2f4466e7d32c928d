import { eventTooOld } from '@leadback/domain';
import { z } from 'zod';
import type { ElementFailure } from '../element-failures.ts';
import type { PlatformEvent } from '../platform.ts';
import { dayMs, minuteMs } from '../span.ts';

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
export const timeFailures = (message: string, sent: readonly PlatformEvent[], nowMs: number): ElementFailure[] => {
  const indices = shape.exec(message)?.[1]?.split(',').map(Number) ?? [];
  return indices.filter((index) => index < sent.length).map((index) => failureAt(index, sent[index], nowMs));
};
