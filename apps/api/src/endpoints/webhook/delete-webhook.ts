import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { recordId } from '../record-id.ts';
import { webhookId } from './webhook-reply.ts';

export const deleteWebhook = endpoint<ApiContext>()({
  method: 'delete',
  path: '/webhook/:id',
  subject: 'Webhooks',
  summary: 'Delete a webhook',
  description:
    'Deletes the URL and the secret. Deliveries that wait are never sent; one that is being sent now may still arrive. Its log is no longer offered, and is deleted 30 days after each event.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: {
    200: { description: 'The webhook is deleted.', body: z.object({ id: webhookId }), example: { id: 3 } },
  },
  refusals: ['not-found.webhook'],
  async handle({ input: { id }, response }, { webhooks }) {
    await webhooks.delete(callerOf(response), id);
    return { status: 200, body: { id } };
  },
});
