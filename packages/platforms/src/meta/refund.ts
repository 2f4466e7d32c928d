import type { AttributedAdjustment } from '@leadback/domain';
import { notSupported } from '../not-supported.ts';
import type { Prepared } from '../platform.ts';
import { metaEvent } from './event.ts';
import type { MetaSettings } from './settings.ts';

/**
 * Builds a custom event with what was taken back of a conversion, if the account wants one: nothing corrects an event
 * that Meta has. A total that grows again cannot be told.
 */
export const metaRefund = (
  { id, takenBack, occurredAt, conversion }: AttributedAdjustment,
  { refundEvent, actionSource }: Pick<MetaSettings, 'refundEvent' | 'actionSource'>,
): Prepared => {
  if (refundEvent === undefined || Number(takenBack) === 0) return notSupported;
  const { eventId, externalReference } = conversion;
  const refund = { amount: takenBack, occurredAt, eventId: `${eventId}:refund:${id}` };
  const order = { externalReference: externalReference ?? eventId };
  return metaEvent({ ...conversion, ...refund, ...order }, { eventName: refundEvent, actionSource });
};
