import { webhooksMax } from '@leadback/domain';
import { endpoint, endpointWithParameters, nothing } from '@leadback/http';
import type { WebhookRecord } from '@leadback/intake';
import type { ConsoleContext } from '../context.ts';
import {
  changeWebhookInput,
  createWebhookInput,
  createWebhookReply,
  deleteWebhookInput,
  deleteWebhookReply,
  listWebhooksInput,
  listWebhooksReply,
  rotateSecretInput,
  rotateSecretReply,
  type Webhook,
  webhook,
  webhookPath,
} from '../contract/webhooks.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { callerFor, findWebhook } from './webhook-caller.ts';

const subject = 'Webhooks';

const describe = ({ events, createdAt, lastAcceptedAt, ...same }: WebhookRecord): Webhook => ({
  ...same,
  events: [...events],
  createdAt: createdAt.toISOString(),
  lastAcceptedAt: lastAcceptedAt?.toISOString() ?? null,
});

export const listWebhooks = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/webhooks',
  subject,
  summary: 'The webhooks of an account',
  description: 'Of both modes.',
  input: listWebhooksInput,
  headers: nothing,
  replies: { 200: { description: 'The webhooks.', body: listWebhooksReply, example: undefined } },
  async handle({ response }, { webhooks }) {
    const { accountId } = scopeOf(response);
    const lists = await Promise.all([false, true].map((isTest) => webhooks.list({ accountId, isTest })));
    return { status: 200, body: { items: lists.flat().map(describe), max: webhooksMax } };
  },
});

export const readWebhook = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/webhooks/:id',
  subject,
  summary: 'One webhook',
  description: 'Without its secret.',
  input: webhookPath,
  headers: nothing,
  replies: { 200: { description: 'The webhook.', body: webhook, example: undefined } },
  handle: async ({ input: { id }, response }, { webhooks }) => ({
    status: 200,
    body: describe(await findWebhook(webhooks, response, id)),
  }),
});

export const createWebhook = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/webhooks',
  subject,
  summary: 'Add a webhook',
  description: 'Shows its secret once.',
  input: createWebhookInput,
  headers: nothing,
  replies: { 201: { description: 'The secret.', body: createWebhookReply, example: undefined } },
  async handle({ input: { isTest, ...given }, response }, { webhooks }) {
    const { accountId } = scopeOf(response);
    const caller = { accountId, isTest, actor: sessionOf(response).person.email };
    return { status: 201, body: await webhooks.create(caller, given, response.req.hostname) };
  },
});

export const changeWebhook = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/webhooks/:id',
  subject,
  summary: 'Change, pause or resume a webhook',
  description: 'Leaves what is not sent.',
  input: changeWebhookInput,
  parameters: webhookPath,
  headers: nothing,
  replies: { 200: { description: 'The webhook as it is now.', body: webhook, example: undefined } },
  async handle({ input: changes, parameters: { id }, response }, { webhooks }) {
    const caller = await callerFor(webhooks, response, id);
    return { status: 200, body: describe(await webhooks.change(caller, id, changes, response.req.hostname)) };
  },
});

export const rotateWebhookSecret = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/secret',
  subject,
  summary: 'Change the secret of a webhook',
  description: 'Shows the new one once; the one before signs as well for 24 hours.',
  input: rotateSecretInput,
  parameters: webhookPath,
  headers: nothing,
  replies: { 200: { description: 'The secret.', body: rotateSecretReply, example: undefined } },
  async handle({ parameters: { id }, response }, { webhooks }) {
    const { secret, previousUntil } = await webhooks.rotateSecret(await callerFor(webhooks, response, id), id);
    return { status: 200, body: { secret, previousUntil: previousUntil.toISOString() } };
  },
});

export const deleteWebhook = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/delete',
  subject,
  summary: 'Delete a webhook',
  description: 'With its secret and the deliveries that wait.',
  input: deleteWebhookInput,
  parameters: webhookPath,
  headers: nothing,
  replies: { 200: { description: 'It is deleted.', body: deleteWebhookReply, example: undefined } },
  async handle({ parameters: { id }, response }, { webhooks }) {
    await webhooks.delete(await callerFor(webhooks, response, id), id);
    return { status: 200, body: { id } };
  },
});
