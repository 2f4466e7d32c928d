import { type AttributedAdjustment, eventAgeMaxMs, eventTooOld } from '@leadback/domain';
import type { Prepared } from '../platform.ts';
import { googleEvent } from './event.ts';

const countKept = 'count kept: Google sets the value of the conversion to 0 and still counts it';

/**
 * Builds the event of the conversion once more, with another value: Google overwrites the value of a conversion with the
 * same transaction id, and counts it once. There is no event that takes a conversion back. An earlier adjustment would
 * overwrite a later one.
 */
export const googleAdjustment = (
  { kind, amount, isSuperseded, conversion }: AttributedAdjustment,
  settings: Parameters<typeof googleEvent>[1],
  nowMs: number,
): Prepared => {
  if (isSuperseded) return { kind: 'skipped', reason: 'superseded' };
  // the event has the time of the conversion
  if (nowMs - conversion.occurredAt.getTime() > eventAgeMaxMs('google'))
    return { kind: 'skipped', reason: eventTooOld };
  const prepared = googleEvent({ ...conversion, amount }, settings, nowMs);
  return kind === 'retract' && prepared.kind === 'event' ? { ...prepared, note: countKept } : prepared;
};
