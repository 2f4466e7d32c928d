import {
  optionalText,
  requiredText,
  webhookTopicsSchema,
  webhookUrlMax,
  webhookTopics,
  webhooksMax,
} from '@leadback/domain';
import { z } from 'zod';
import {
  changeWebhook as change,
  createWebhook as create,
  deleteWebhook as remove,
  listWebhooks as list,
  rotateWebhookSecret as rotateSecret,
  type WebhookRecord,
} from '@leadback/core/webhooks/webhooks';
import { endpointWithParameters, nothing, endpoint, addToRequestLog } from '@leadback/server/http';
import { callerOf, modeOf } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { recordId } from './parameters.ts';

const described = {
  url: 'Where events are sent: https on port 443 or 8443, a public host, no user name or password. Redirects are not followed.',
  events: 'What it is told of.',
};

/** The host is checked by the use case, which looks it up. */
const newWebhook = z.object(
  {
    url: requiredText(webhookUrlMax).meta({ description: described.url }),
    events: webhookTopicsSchema.transform((events) => [...new Set(events)]).meta({ description: described.events }),
  },
  { error: 'expected a JSON object' },
);

const webhookChanges = z
  .object(
    {
      url: optionalText(webhookUrlMax).meta({ description: described.url }),
      events: webhookTopicsSchema
        .nullish()
        .transform((events) => (events ? [...new Set(events)] : undefined))
        .meta({ description: described.events }),
      state: z
        .enum(['active', 'paused'], 'expected active or paused')
        .nullish()
        .transform((state) => state ?? undefined)
        .meta({
          description:
            '`paused`: what happens from now on is not told; deliveries that wait are sent when it is active again. `active`: it is told again, with three days of retries.',
        }),
    },
    { error: 'expected a JSON object' },
  )
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'expected url, events or state');

const webhookId = z.int().meta({ description: 'The id of the webhook.' });

const webhookSecret = z.string().meta({
  description: 'Signs each request. It is shown only in this response: store it where your receiver reads it.',
});

const exampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDWqFlnkOAzuM=';

const webhookBody = z
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
        'Why it is paused: `gone`: your endpoint responded with 410. `failing`: it accepted nothing for three days. `unreadable`: for three days its stored URL or secret could not be read, so nothing was sent. `unverified: …`: why the last verification has failed. `null`: you or your operator paused it, or it is active.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

const webhookView = ({
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

const exampleWebhook = {
  id: 3,
  url: 'https://shop.example/leadback-webhook',
  events: ['delivery.failed', 'connection.needs_attention'],
  state: 'active',
  isVerified: true,
  reason: null,
  createdAt: '2026-11-21T12:00:00.000Z',
} as const;

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
      events: ['delivery.delivered', 'delivery.failed', 'delivery.skipped'],
      state: 'active',
    },
  },
  headers: nothing,
  replies: { 200: { description: 'The webhook as it is now.', body: webhookBody, example: exampleWebhook } },
  refusals: ['not-found.webhook'],
  async handle({ input: changes, parameters: { id }, response }, { reading, checkUrl }) {
    const ownHost = response.req.hostname;
    const changed = await change(reading, checkUrl, callerOf(response), id, { ...changes, ownHost });
    return { status: 200, body: webhookView(changed) };
  },
});

export const createWebhook = endpoint<ApiContext>()({
  method: 'post',
  path: '/webhook',
  subject: 'Webhooks',
  summary: 'Register a webhook',
  description: `Tells your endpoint what happens from now on. A webhook made with a test key gets events of tests. One made with a live key gets all other events. Both get events about connections. First your endpoint gets a signed \`webhook.verification\`; it gets events once it has responded with 2xx. An account has at most ${webhooksMax} webhooks of each kind, and only one with the same URL. If a response is lost, list your webhooks, and ask for a new secret. [Webhooks](/docs/webhooks) has the events, and how to verify a request.`,
  input: newWebhook,
  examples: {
    'What needs action': {
      url: 'https://shop.example/leadback-webhook',
      events: ['delivery.failed', 'connection.needs_attention'],
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
  async handle({ input, response }, { reading, secretsKeys, checkUrl }) {
    const webhook = { ...input, ownHost: response.req.hostname };
    const registered = await create(reading, { secretsKeys, checkUrl }, callerOf(response), webhook);
    addToRequestLog(response, { webhookId: registered.id });
    return { status: 201, body: registered };
  },
});

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
  async handle({ input: { id }, response }, { reading, secretsKeys }) {
    await remove(reading, secretsKeys, callerOf(response), id);
    return { status: 200, body: { id } };
  },
});

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
  async handle({ response }, { reading }) {
    const items = await list(reading, modeOf(response));
    return { status: 200, body: { items: items.map(webhookView) } };
  },
});

export const rotateWebhookSecret = endpoint<ApiContext>()({
  method: 'post',
  path: '/webhook/:id/secret',
  subject: 'Webhooks',
  summary: 'Change the secret of a webhook',
  description:
    'Returns a new secret. For 24 hours, each request has a signature of the new and of each earlier secret. So your receiver accepts requests before and after you store the new one.',
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
  async handle({ input: { id }, response }, { reading, secretsKeys }) {
    const { secret, previousUntil } = await rotateSecret(reading, secretsKeys, callerOf(response), id);
    return { status: 200, body: { id, secret, previousUntil: previousUntil.toISOString() } };
  },
});
