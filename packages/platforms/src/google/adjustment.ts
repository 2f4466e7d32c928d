import { type AttributedAdjustment, eventAgeMaxMs, eventTooOld } from '@leadback/domain';
import type { Prepared } from '../platform.ts';
import { googleEvent } from './event.ts';
import type { GoogleSettings } from './settings.ts';

const countKept = 'count kept: Google sets the value of the conversion to 0 and still counts it';

/**
 * Builds the event of the conversion once more, with another value: Google overwrites the value of a conversion with the
 * same transaction id, and counts it once. There is no event that takes a conversion back.
 */
const adjustmentEvent = (
  { kind, amount, conversion }: AttributedAdjustment,
  settings: Parameters<typeof googleEvent>[1],
  nowMs: number,
): Prepared => {
  // the event has the time of the conversion
  if (nowMs - conversion.occurredAt.getTime() > eventAgeMaxMs('google'))
    return { kind: 'skipped', reason: eventTooOld };
  const prepared = googleEvent({ ...conversion, amount }, settings, nowMs);
  return kind === 'retract' && prepared.kind === 'event' ? { ...prepared, note: countKept } : prepared;
};

/** Google knows a transaction id within a conversion action. In another one, the adjustment would be one more conversion. */
export const googleAdjustment = {
  event: adjustmentEvent,
  overwrite: true,
  destinationOf: ({ customerId, conversionActionId }: Pick<GoogleSettings, 'customerId' | 'conversionActionId'>) =>
    `${customerId}/${conversionActionId}`,
};
