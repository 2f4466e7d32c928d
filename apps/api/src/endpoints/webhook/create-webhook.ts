import { webhooksMax } from '@leadback/domain';
import { endpoint, nothing, tellInRequestLog } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { newWebhook } from './webhook-input.ts';
import { exampleSecret, webhookId, webhookSecret } from './webhook-reply.ts';

export const createWebhook = endpoint<ApiContext>()({
  method: 'post',
  path: '/webhook',
  subject: 'Webhooks',
  summary: 'Register a webhook',
  description: `Tells your endpoint what happens from now on. A webhook of a test key is told of tests, one of a live key of everything else; both are told of connections. First your endpoint gets a signed \`webhook.verification\`; it gets events once it has responded with 2xx. An account has at most ${webhooksMax} webhooks of each kind, and only one with the same URL: if a response is lost, list your webhooks, and ask for a new secret. [Webhooks](/docs/webhooks) has the events, and how to verify a request.`,
  input: newWebhook,
  examples: {
    'What needs action': {
      url: 'https://shop.example/leadback-webhook',
      events: ['feedback.failed', 'connection.needs_attention'],
    },
  },
  headers: nothing,
  replies: {
    201: {
      description: 'The webhook is registered.',
      body: z.object({ id: webhookId, secret: webhookSecret }),
      example: { id: 3, secret: exampleSecret },
    },
  },
  refusals: ['invalid-fields.webhooks'],
  async handle({ input, response }, { webhooks }) {
    const registered = await webhooks.create(callerOf(response), input, response.req.hostname);
    tellInRequestLog(response, { webhookId: registered.id });
    return { status: 201, body: registered };
  },
});
