import type { AttributedAdjustment } from '@leadback/domain';
import { notSupported } from '../not-supported.ts';
import type { Prepared } from '../platform.ts';
import { metaEvent } from './event.ts';
import type { MetaSettings } from './settings.ts';

/**
 * Builds a custom event with what was taken back of a conversion, if the account wants one: nothing corrects an event
 * that Meta has. Of a total that is not below every earlier one, nothing was taken back.
 */
const refundEventOf = (
  { id, takenBack, occurredAt, conversion }: AttributedAdjustment,
  { refundEvent, actionSource }: Pick<MetaSettings, 'refundEvent' | 'actionSource'>,
): Prepared => {
  if (refundEvent === undefined) return notSupported;
  if (Number(takenBack) === 0) return { kind: 'skipped', reason: 'nothing_taken_back' };
  const { eventId, externalReference } = conversion;
  const refund = { amount: takenBack, occurredAt, eventId: `${eventId}:refund:${id}` };
  const order = { externalReference: externalReference ?? eventId };
  return metaEvent({ ...conversion, ...refund, ...order }, { eventName: refundEvent, actionSource });
};

/** Refund events are summed up, in the data set that has the conversion. */
export const metaRefund = {
  event: refundEventOf,
  overwrite: false,
  destinationOf: ({ pixelId }: Pick<MetaSettings, 'pixelId'>) => pixelId,
};
