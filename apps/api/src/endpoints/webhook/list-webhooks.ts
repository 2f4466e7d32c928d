import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { exampleWebhook, webhookBody, webhookView } from './webhook-reply.ts';

export const listWebhooks = endpoint<ApiContext>()({
  method: 'get',
  path: '/webhook',
  subject: 'Webhooks',
  summary: 'List webhooks',
  description:
    'Returns the webhooks of your account that were registered with the same kind of key, live or test, oldest first.',
  input: nothing,
  headers: nothing,
  replies: {
    200: {
      description: 'The webhooks.',
      body: z.object({ items: z.array(webhookBody) }),
      example: { items: [exampleWebhook] },
    },
  },
  async handle({ response }, { webhooks }) {
    const items = await webhooks.list(modeOf(response));
    return { status: 200, body: { items: items.map(webhookView) } };
  },
});
