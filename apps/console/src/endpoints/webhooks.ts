import { webhooksMax } from '@leadback/domain';
import type { WebhookRecord } from '@leadback/intake';
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
import { endpoint, endpointWithParameters } from './guard.ts';
import { callerFor, findWebhook } from './webhook-caller.ts';

const describe = ({ events, createdAt, lastAcceptedAt, ...same }: WebhookRecord): Webhook => ({
  ...same,
  events: [...events],
  createdAt: createdAt.toISOString(),
  lastAcceptedAt: lastAcceptedAt?.toISOString() ?? null,
});

export const listWebhooks = endpoint({
  method: 'get',
  path: '/accounts/:account/webhooks',
  input: listWebhooksInput,
  replies: { 200: { body: listWebhooksReply } },
  async handle({ response }, { webhooks }) {
    const { accountId } = scopeOf(response);
    const lists = await Promise.all([false, true].map((isTest) => webhooks.list({ accountId, isTest })));
    return { status: 200, body: { items: lists.flat().map(describe), max: webhooksMax } };
  },
});

export const readWebhook = endpoint({
  method: 'get',
  path: '/accounts/:account/webhooks/:id',
  input: webhookPath,
  replies: { 200: { body: webhook } },
  handle: async ({ input: { id }, response }, { webhooks }) => ({
    status: 200,
    body: describe(await findWebhook(webhooks, response, id)),
  }),
});

export const createWebhook = endpoint({
  method: 'post',
  path: '/accounts/:account/webhooks',
  input: createWebhookInput,
  replies: { 201: { body: createWebhookReply } },
  async handle({ input: { isTest, ...given }, response }, { webhooks }) {
    const { accountId } = scopeOf(response);
    const caller = { accountId, isTest, actor: sessionOf(response).person.email };
    return { status: 201, body: await webhooks.create(caller, given, response.req.hostname) };
  },
});

export const changeWebhook = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id',
  input: changeWebhookInput,
  parameters: webhookPath,
  replies: { 200: { body: webhook } },
  async handle({ input: changes, parameters: { id }, response }, { webhooks }) {
    const caller = await callerFor(webhooks, response, id);
    return { status: 200, body: describe(await webhooks.change(caller, id, changes, response.req.hostname)) };
  },
});

export const rotateWebhookSecret = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/secret',
  input: rotateSecretInput,
  parameters: webhookPath,
  replies: { 200: { body: rotateSecretReply } },
  async handle({ parameters: { id }, response }, { webhooks }) {
    const { secret, previousUntil } = await webhooks.rotateSecret(await callerFor(webhooks, response, id), id);
    return { status: 200, body: { secret, previousUntil: previousUntil.toISOString() } };
  },
});

export const deleteWebhook = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/delete',
  input: deleteWebhookInput,
  parameters: webhookPath,
  replies: { 200: { body: deleteWebhookReply } },
  async handle({ parameters: { id }, response }, { webhooks }) {
    await webhooks.delete(await callerFor(webhooks, response, id), id);
    return { status: 200, body: { id } };
  },
});
