import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { recordId } from '../record-id.ts';

export const deliveryId = z.int().meta({ description: 'The id of the delivery in the log of the webhook.' });

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
  async handle({ input: { id }, response }, { webhooks }) {
    return { status: 202, body: { deliveryId: await webhooks.test(callerOf(response), id) } };
  },
});
