import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { callerOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { recordId } from '../record-id.ts';
import { exampleSecret, webhookId, webhookSecret } from './webhook-reply.ts';

export const rotateWebhookSecret = endpoint<ApiContext>()({
  method: 'post',
  path: '/webhook/:id/secret',
  subject: 'Webhooks',
  summary: 'Change the secret of a webhook',
  description:
    'Returns a new secret. For 24 hours, each request has a signature of the new and of each earlier secret, so that your receiver accepts requests before and after you store the new one.',
  input: z.object({ id: recordId }),
  body: 'none',
  headers: nothing,
  replies: {
    200: {
      description: 'The new secret.',
      body: z.object({
        id: webhookId,
        secret: webhookSecret,
        previousUntil: z.iso
          .datetime()
          .meta({ description: 'Until when requests are signed with the last secret, too.' }),
      }),
      example: { id: 3, secret: exampleSecret, previousUntil: '2026-11-22T12:00:00.000Z' },
    },
  },
  refusals: ['not-found.webhook'],
  async handle({ input: { id }, response }, { webhooks }) {
    const { secret, previousUntil } = await webhooks.rotateSecret(callerOf(response), id);
    return { status: 200, body: { id, secret, previousUntil: previousUntil.toISOString() } };
  },
});
