import { attemptOutcomes, connectionStates, deliveryStates, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { money, pageOf, rowId, shownReference, testChoice } from './values.ts';

/** `GET /api/accounts/:account/deliveries`: newest first; every filter is optional. */
export const deliveriesInput = z.object({
  platform: z.enum(platformNames).optional(),
  connection: rowId.optional(),
  state: z.enum(deliveryStates).optional(),
  /** The code of a reason; needs `state` failed or skipped. */
  code: z.string().max(60).optional(),
  conversion: rowId.optional(),
  test: testChoice,
  /** `next` of the page before. */
  after: rowId.optional(),
});

export const delivery = z.object({
  id: z.number(),
  connectionId: z.number(),
  /** What the connection is called, and where it leads. */
  label: z.string(),
  destination: z.string(),
  isConnectionDeleted: z.boolean(),
  platform: z.enum(platformNames),
  connectionState: z.enum(connectionStates),
  /** What is reported; a lead has no conversion. */
  event: z.enum(['conversion', 'lead', 'restate', 'retract']),
  conversionId: z.number().nullable(),
  /** The click of the conversion that its platform is told of; null: it reports a lead. */
  leadId: z.number().nullable(),
  /** The partner's id of the conversion. */
  externalReference: shownReference.nullable(),
  /** What is told: of a conversion as it was registered, of an adjustment its new total. */
  amount: money.nullable(),
  /** The total before an adjustment; null: it is none. */
  previousAmount: money.nullable(),
  state: z.enum(deliveryStates),
  reason: z.string().nullable(),
  code: z.string().nullable(),
  /** What the platform was not told in full, and what it reported later. */
  note: z.string().nullable(),
  /** Whether the platform says that it used the event; null: it has not said, or never does. */
  isConfirmed: z.boolean().nullable(),
  attempts: z.number(),
  isTest: z.boolean(),
  /** ISO 8601, as all times. */
  occurredAt: z.string().nullable(),
  createdAt: z.string(),
  closedAt: z.string().nullable(),
  /** Null: closed, being sent, or its connection is not active. */
  nextAttemptAt: z.string().nullable(),
  /** Whether a retry would send it again now. */
  canRetry: z.boolean(),
});

/** A search reads a bounded number of rows. */
export const deliveriesReply = pageOf(delivery);

/** `GET /api/accounts/:account/deliveries/:id` */
export const readDeliveryReply = z.object({
  delivery,
  /** Oldest first. `requeued`: not an attempt, but a retry that was asked for. */
  attempts: z.array(
    z.object({
      at: z.string(),
      outcome: z.enum(attemptOutcomes),
      reason: z.string().nullable(),
      httpStatus: z.number().nullable(),
      /** The platform's response, at most 2 KB, without secrets or personal data. */
      answer: z.string().nullable(),
      durationMs: z.number(),
      platformRequest: z.string().nullable(),
    }),
  ),
});

const retriedMax = 100;

/** `POST /api/accounts/:account/deliveries/retry`: one, or those selected. Sends nothing that was delivered meanwhile. */
export const retryDeliveriesInput = z.object({ ids: z.array(z.number().int().min(1)).min(1).max(retriedMax) });
export const retryDeliveriesReply = z.object({
  /** Pending now, with the adjustments that follow their conversion. */
  retried: z.array(z.number()),
  /** Left as they are, and why. */
  left: z.array(
    z.object({ id: z.number(), why: z.enum(['unknown', 'delivered', 'pending', 'connection-inactive', 'changed']) }),
  ),
});

export type Delivery = z.output<typeof delivery>;
export type DeliveriesReply = z.output<typeof deliveriesReply>;
export type ReadDeliveryReply = z.output<typeof readDeliveryReply>;
export type RetryDeliveriesReply = z.output<typeof retryDeliveriesReply>;

/** `GET /api/accounts/:account/deliveries/:id/payload`: what the platform would be told now. Sends nothing. */
export const previewPayloadReply = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('event'),
    /** In the platform's own format. Personal data are masked for everybody, also where they are hashed. */
    event: z.record(z.string(), z.unknown()),
    isTest: z.boolean(),
    /** What the platform is not told in full. */
    note: z.string().nullable(),
    /** Why it would not be sent now; null: nothing holds it back. */
    held: z.string().nullable(),
  }),
  /** There is nothing to tell the platform. */
  z.object({ kind: z.literal('skipped'), reason: z.string() }),
  /** What happened lies in the future. */
  z.object({ kind: z.literal('early'), at: z.string() }),
  /** The connection cannot be used: its settings or credentials do not fit. */
  z.object({ kind: z.literal('unusable'), reason: z.string() }),
]);

export type PreviewPayloadReply = z.output<typeof previewPayloadReply>;
