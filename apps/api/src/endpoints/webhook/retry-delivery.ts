import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { recordId } from '../record-id.ts';
import { deliveryId } from './test-webhook.ts';

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
  async handle({ input, response }, { webhooks }) {
    await webhooks.retry(callerOf(response), input);
    return { status: 202, body: { deliveryId: input.deliveryId } };
  },
});
