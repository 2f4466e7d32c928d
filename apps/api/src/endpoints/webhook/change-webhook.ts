import { endpointWithParameters, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { recordId } from '../record-id.ts';
import { webhookChanges } from './webhook-input.ts';
import { exampleWebhook, webhookBody, webhookView } from './webhook-reply.ts';

export const changeWebhook = endpointWithParameters<ApiContext>()({
  method: 'patch',
  path: '/webhook/:id',
  subject: 'Webhooks',
  summary: 'Change, pause or resume a webhook',
  description:
    'Changes what you send; everything else, and the secret, stays. What waits is sent to the new URL, after it has answered a `webhook.verification`.',
  input: webhookChanges,
  parameters: z.object({ id: recordId }),
  examples: {
    'Pause it': { state: 'paused' },
    'Resume it at another URL, for other events': {
      url: 'https://shop.example/webhooks/leadback',
      events: ['feedback.delivered', 'feedback.failed', 'feedback.skipped'],
      state: 'active',
    },
  },
  headers: nothing,
  replies: { 200: { description: 'The webhook as it is now.', body: webhookBody, example: exampleWebhook } },
  refusals: ['not-found.webhook'],
  async handle({ input: changes, parameters: { id }, response }, { webhooks }) {
    const changed = await webhooks.change(callerOf(response), id, changes, response.req.hostname);
    return { status: 200, body: webhookView(changed) };
  },
});
