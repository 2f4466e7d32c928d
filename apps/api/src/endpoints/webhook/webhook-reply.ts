import { webhookTopics } from '@leadback/domain';
import type { WebhookRecord } from '@leadback/intake';
import { z } from 'zod';

export const webhookId = z.int().meta({ description: 'The id of the webhook.' });

export const webhookSecret = z.string().meta({
  description: 'Signs each request. It is shown only in this response: store it where your receiver reads it.',
});

export const exampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDWqFlnkOAzuM=';

export const webhookBody = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z.array(z.enum(webhookTopics)),
    state: z.enum(['active', 'paused']),
    isVerified: z.boolean().meta({
      description:
        'Whether the URL has answered a signed `webhook.verification` with 2xx. One is sent right after the webhook is registered or gets another URL, with retries; events wait until then.',
    }),
    reason: z.string().nullable().meta({
      description:
        'Why it is paused: `gone`: your endpoint responded with 410. `failing`: it accepted nothing for three days. `unverified: …`: how the URL has failed to answer. `null`: you or your operator paused it, or it is active.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

export const webhookView = ({
  id,
  url,
  events,
  state,
  isVerified,
  reason,
  createdAt,
}: WebhookRecord): z.infer<typeof webhookBody> => ({
  id,
  url,
  events: [...events],
  state,
  isVerified,
  reason,
  createdAt: createdAt.toISOString(),
});

export const exampleWebhook = {
  id: 3,
  url: 'https://shop.example/leadback-webhook',
  events: ['feedback.failed', 'connection.needs_attention'],
  state: 'active',
  isVerified: true,
  reason: null,
  createdAt: '2026-11-21T12:00:00.000Z',
} as const;
