import { deliveryStates, platformNames } from '@leadback/domain';
import type { DeliveryRecord } from '@leadback/core/conversions/read';
import { z } from 'zod';

const time = z.iso.datetime();

export const deliveryBody = z.object({
  platform: z.enum(platformNames),
  state: z.enum(deliveryStates).meta({
    description:
      '`pending`: not delivered yet. `delivered`: the platform accepted the event. `failed`: the platform rejected the event, or was unavailable for three days. `skipped`: nothing to send, see `reason`.',
  }),
  reason: z.string().nullable().meta({ description: 'Reason for the state, if there is one.' }),
  attempts: z.int(),
  nextAttemptAt: time.nullable().meta({
    description:
      'Earliest time of the next attempt; `null` if there is none, or if an operator has to fix or resume the connection first.',
  }),
  closedAt: time.nullable().meta({ description: 'Time at which it was delivered, failed or skipped.' }),
  note: z.string().nullable().meta({
    description:
      'What the platform could not be told in full, and what it reported about the request after it accepted it.',
  }),
});

const connectionReasons: Record<DeliveryRecord['connectionState'], string | null> = {
  active: null,
  paused: 'the connection is paused',
  needs_attention: 'the connection needs attention',
};

/** Adds the state of the connection if a pending delivery waits for it. */
const reasonOf = ({ state, reason, connectionState, connectionReason }: DeliveryRecord) => {
  const waitsFor = state === 'pending' ? connectionReasons[connectionState] : null;
  return waitsFor === null ? reason : [waitsFor, connectionReason].filter((part) => part !== null).join(': ');
};

export const deliveryView = (delivery: DeliveryRecord): z.infer<typeof deliveryBody> => ({
  platform: delivery.platform,
  state: delivery.state,
  reason: reasonOf(delivery),
  attempts: delivery.attempts,
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  closedAt: delivery.closedAt?.toISOString() ?? null,
  note: delivery.note,
});
