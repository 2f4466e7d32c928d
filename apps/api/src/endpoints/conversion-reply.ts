import { currencies, feedbackStates, platformNames } from '@leadback/domain';
import type { ConversionRecord } from '@leadback/reports';
import { z } from 'zod';

const time = z.iso.datetime();

const feedback = z.object({
  platform: z.enum(platformNames),
  state: z.enum(feedbackStates).meta({
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
  note: z
    .string()
    .nullable()
    .meta({ description: 'What the platform reported about the request after it accepted it.' }),
});

export const conversionBody = z
  .object({
    id: z.int(),
    clientId: z.int(),
    leadId: z.int(),
    amount: z.number(),
    currency: z.enum(currencies),
    conversionExternalReference: z.string().nullable(),
    eventId: z.string().meta({ description: 'The event id that the platforms receive.' }),
    occurredAt: time,
    isTest: z.boolean().meta({ description: 'Registered with a test key.' }),
    createdAt: time,
    feedback: z.array(feedback).meta({ description: 'One delivery per platform connection of your account.' }),
  })
  .meta({ id: 'Conversion' });

const isoOrNull = (date: Date | null) => date?.toISOString() ?? null;

type Feedback = ConversionRecord['feedback'][number];

const connectionReasons: Record<Feedback['connectionState'], string | null> = {
  active: null,
  paused: 'the connection is paused',
  needs_attention: 'the connection needs attention',
};

/** Adds the state of the connection if a pending delivery waits for it. */
const reasonOf = ({ state, reason, connectionState, connectionReason }: Feedback) => {
  const waitsFor = state === 'pending' ? connectionReasons[connectionState] : null;
  return waitsFor === null ? reason : [waitsFor, connectionReason].filter((part) => part !== null).join(': ');
};

export const conversionView = (conversion: ConversionRecord): z.infer<typeof conversionBody> => {
  const { externalReference, amount, occurredAt, createdAt, feedback: deliveries, ...same } = conversion;
  return {
    ...same,
    amount: Number(amount),
    conversionExternalReference: externalReference,
    occurredAt: occurredAt.toISOString(),
    createdAt: createdAt.toISOString(),
    feedback: deliveries.map((delivery) => ({
      platform: delivery.platform,
      state: delivery.state,
      reason: reasonOf(delivery),
      attempts: delivery.attempts,
      nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
      closedAt: isoOrNull(delivery.closedAt),
      note: delivery.note,
    })),
  };
};

export const conversionReply = {
  description: 'The conversion, with its delivery to each platform.',
  body: conversionBody,
  example: {
    id: 31,
    clientId: 7,
    leadId: 12,
    amount: 149.9,
    currency: 'USD',
    conversionExternalReference: 'order-8731',
    eventId: 'order-8731',
    occurredAt: '2026-11-21T12:00:00.000Z',
    isTest: false,
    createdAt: '2026-11-21T12:00:00.000Z',
    feedback: [
      {
        platform: 'meta',
        state: 'delivered',
        reason: null,
        attempts: 1,
        nextAttemptAt: null,
        closedAt: '2026-11-21T12:00:00.420Z',
        note: null,
      },
      {
        platform: 'google',
        state: 'pending',
        reason: 'HTTP 503',
        attempts: 1,
        nextAttemptAt: '2026-11-21T12:00:17.000Z',
        closedAt: null,
        note: null,
      },
    ],
  },
} as const;
