import { attemptOutcomes, deliveryStates, webhookEventTypes } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/server/http';
import { listWebhookDeliveries as list, type WebhookDelivery } from '@leadback/core/webhooks/list-deliveries';
import { retryWebhookDelivery as retry, testWebhook as test } from '@leadback/core/webhooks/webhooks';
import { z } from 'zod';
import { modeOf, callerOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { optionalQuery, recordId } from './parameters.ts';

const limit = 50;
const time = z.iso.datetime();

const delivery = z.object({
  id: z.int(),
  messageId: z.string().meta({ description: 'The `webhook-id` of its requests, the same in each attempt.' }),
  type: z.enum(webhookEventTypes),
  data: z.record(z.string(), z.unknown()).meta({ description: 'As in the body of its requests.' }),
  state: z.enum(deliveryStates).meta({
    description:
      '`pending`: not accepted yet. `delivered`: your endpoint responded with 2xx. `failed`: it did not within three days.',
  }),
  reason: z.string().nullable().meta({ description: 'Reason for the state, if there is one.' }),
  attempts: z
    .array(
      z.object({
        at: time,
        outcome: z.enum(attemptOutcomes).meta({ description: '`requeued`: no attempt; you asked for a retry.' }),
        httpStatus: z.int().nullable().meta({ description: '`null`: there was no response.' }),
        reason: z.string().nullable().meta({ description: '`unreachable`: there was no response.' }),
        durationMs: z.int().meta({ description: 'Until the response; 0 if there was none.' }),
      }),
    )
    .meta({ description: 'Oldest first.' }),
  nextAttemptAt: time.nullable(),
  createdAt: time.meta({ description: 'When it happened.' }),
  closedAt: time.nullable(),
});

const view = ({
  attempts,
  nextAttemptAt,
  createdAt,
  closedAt,
  ...same
}: WebhookDelivery): z.infer<typeof delivery> => ({
  ...same,
  attempts: attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
});

export const listWebhookDeliveries = endpoint<ApiContext>()({
  method: 'get',
  path: '/webhook/:id/deliveries',
  subject: 'Webhooks',
  summary: 'List the deliveries of a webhook',
  description: `Returns up to ${limit} deliveries of the last 30 days, newest first. Repeat the request with \`after\` until \`next\` is \`null\`: with \`state\`, a page may have fewer, or none, although there are more.`,
  input: z.object({
    id: recordId,
    state: optionalQuery(z.enum(deliveryStates, `expected ${deliveryStates.join(', ')}`)).meta({
      enum: deliveryStates,
      param: { description: 'Only deliveries in this state.', example: 'failed' },
    }),
    after: optionalQuery(
      z
        .string()
        .regex(/^[1-9]\d{0,15}$/, 'expected the value of next')
        .transform(Number),
    ).meta({ param: { description: 'The `next` of the page before, with the same other parameters.' } }),
  }),
  headers: nothing,
  replies: {
    200: {
      description: 'A page of deliveries.',
      body: z.object({
        items: z.array(delivery),
        next: z.string().nullable().meta({ description: 'Send it as `after` to get the next page; `null`: the end.' }),
      }),
      example: {
        items: [
          {
            id: 812,
            messageId: 'evt_0197b2f07c7d7b7f8a3de1c9b3f1a2d4_55',
            type: 'delivery.failed',
            data: {
              deliveryId: 96,
              conversionId: 31,
              conversionExternalReference: 'order-8731',
              connectionId: 2,
              connection: { id: 2, label: 'Shop in Argentina' },
              platform: 'meta',
              state: 'failed',
              reason: '100: Invalid parameter',
              message: 'Invalid parameter',
              isTest: false,
            },
            state: 'pending',
            reason: 'HTTP 503',
            attempts: [
              {
                at: '2026-11-21T12:00:01.000Z',
                outcome: 'unavailable',
                httpStatus: 503,
                reason: 'HTTP 503',
                durationMs: 84,
              },
            ],
            nextAttemptAt: '2026-11-21T12:00:11.000Z',
            createdAt: '2026-11-21T12:00:00.420Z',
            closedAt: null,
          },
        ],
        next: null,
      },
    },
  },
  refusals: ['not-found.webhook'],
  async handle({ input: { id, state, after }, response }, { reading }) {
    const page = await list(reading, modeOf(response), { id, state, after, limit });
    return { status: 200, body: { items: page.items.map(view), next: page.next === null ? null : String(page.next) } };
  },
});

const deliveryId = z.int().meta({ description: 'The id of the delivery in the log of the webhook.' });

export const testWebhook = endpoint<ApiContext>()({
  method: 'post',
  path: '/webhook/:id/test',
  subject: 'Webhooks',
  summary: 'Send a test event',
  description:
    'Sends an event of the type `webhook.test` within some seconds, whatever the events of the webhook. It is retried like any other. While it waits, another request returns the same delivery and only sends it sooner. The log shows how your endpoint responded.',
  input: z.object({ id: recordId }),
  body: 'none',
  headers: nothing,
  replies: {
    202: { description: 'It will be sent.', body: z.object({ deliveryId }), example: { deliveryId: 812 } },
  },
  refusals: ['not-found.webhook', 'invalid-fields.webhookPaused'],
  async handle({ input: { id }, response }, { reading }) {
    return { status: 202, body: { deliveryId: await test(reading, callerOf(response), id) } };
  },
});

export const retryWebhookDelivery = endpoint<ApiContext>()({
  method: 'post',
  path: '/webhook/:id/deliveries/:deliveryId/retry',
  subject: 'Webhooks',
  summary: 'Send a delivery again',
  description:
    'Sends the same event with the same `webhook-id` again within some seconds, also if your endpoint accepted it, with three days of retries. A delivery that is pending stays as it is.',
  input: z.object({
    id: recordId,
    deliveryId: recordId.meta({ param: { description: 'The id of the delivery.', example: '812' } }),
  }),
  body: 'none',
  headers: nothing,
  replies: {
    202: { description: 'It will be sent.', body: z.object({ deliveryId }), example: { deliveryId: 812 } },
  },
  refusals: ['not-found.webhook', 'not-found.webhookDelivery', 'invalid-fields.webhookPaused'],
  async handle({ input, response }, { reading }) {
    await retry(reading, callerOf(response), input);
    return { status: 202, body: { deliveryId: input.deliveryId } };
  },
});
