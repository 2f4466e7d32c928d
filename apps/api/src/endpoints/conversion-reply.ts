import { adjustmentKinds, currencies } from '@leadback/domain';
import type { ConversionRecord } from '@leadback/reports';
import { z } from 'zod';
import { deliveryBody, deliveryView } from './delivery-view.ts';

const time = z.iso.datetime();

const adjustmentBody = z.object({
  id: z.int(),
  kind: z.enum(adjustmentKinds),
  amount: z.number().meta({ description: 'The new total; 0 if it is retracted.' }),
  occurredAt: time,
  adjustmentExternalReference: z.string().nullable(),
  createdAt: time,
  feedback: z.array(deliveryBody).meta({
    description:
      'One delivery per delivery that the conversion had then. Empty if it had none, or if its deliveries were deleted before: no platform is told.',
  }),
});

export const conversionBody = z
  .object({
    id: z.int(),
    clientId: z.int(),
    leadId: z.int(),
    amount: z.number().meta({ description: 'The total now, after all adjustments.' }),
    originalAmount: z.number(),
    currency: z.enum(currencies),
    conversionExternalReference: z.string().nullable(),
    eventId: z.string().meta({ description: 'The event id that the platforms receive.' }),
    eventName: z.string().optional().meta({ description: 'Your name for the event, if you sent one.' }),
    occurredAt: time,
    isTest: z.boolean().meta({ description: 'Registered with a test key.' }),
    createdAt: time,
    feedback: z.array(deliveryBody).meta({ description: 'One delivery per platform connection of your account.' }),
    adjustments: z.array(adjustmentBody).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'Conversion' });

const adjustmentView = (adjustment: ConversionRecord['adjustments'][number]): z.infer<typeof adjustmentBody> => ({
  id: adjustment.id,
  kind: adjustment.kind,
  amount: Number(adjustment.amount),
  occurredAt: adjustment.occurredAt.toISOString(),
  adjustmentExternalReference: adjustment.externalReference,
  createdAt: adjustment.createdAt.toISOString(),
  feedback: adjustment.feedback.map(deliveryView),
});

export const conversionView = (conversion: ConversionRecord): z.infer<typeof conversionBody> => {
  const {
    externalReference,
    eventName,
    amount,
    originalAmount,
    occurredAt,
    createdAt,
    feedback,
    adjustments,
    ...same
  } = conversion;
  return {
    ...same,
    ...(eventName !== null && { eventName }),
    amount: Number(amount),
    originalAmount: Number(originalAmount),
    conversionExternalReference: externalReference,
    occurredAt: occurredAt.toISOString(),
    createdAt: createdAt.toISOString(),
    feedback: feedback.map(deliveryView),
    adjustments: adjustments.map(adjustmentView),
  };
};

export const conversionReply = {
  description: 'The conversion, with its delivery to each platform and its adjustments.',
  body: conversionBody,
  example: {
    id: 31,
    clientId: 7,
    leadId: 12,
    amount: 99.9,
    originalAmount: 149.9,
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
    adjustments: [
      {
        id: 5,
        kind: 'restate',
        amount: 99.9,
        occurredAt: '2026-11-24T09:30:00.000Z',
        adjustmentExternalReference: 'credit-note-311',
        createdAt: '2026-11-24T09:30:02.000Z',
        feedback: [
          {
            platform: 'meta',
            state: 'skipped',
            reason: 'not_supported',
            attempts: 0,
            nextAttemptAt: null,
            closedAt: '2026-11-24T09:30:02.150Z',
            note: null,
          },
        ],
      },
    ],
  },
} as const;
