import { webhooksMax } from '@leadback/domain';
import {
  changeWebhook as change,
  createWebhook as create,
  deleteWebhook as remove,
  findWebhook,
  listWebhooks as list,
  retryWebhookDelivery as retry,
  rotateWebhookSecret as rotateSecret,
  testWebhook as test,
  type WebhookCaller,
  type WebhookRecord,
} from '@leadback/core/webhooks/webhooks';
import {
  listWebhookDeliveries as listDeliveries,
  type WebhookDelivery as StoredDelivery,
} from '@leadback/core/webhooks/list-deliveries';
import type { Response } from 'express';
import {
  changeWebhookInput,
  createWebhookInput,
  createWebhookReply,
  deleteWebhookInput,
  deleteWebhookReply,
  listWebhooksInput,
  listWebhooksReply,
  retryWebhookDeliveryInput,
  rotateSecretInput,
  rotateSecretReply,
  testWebhookInput,
  type Webhook,
  type WebhookDelivery,
  webhook,
  webhookDeliveriesInput,
  webhookDeliveriesReply,
  webhookPath,
  webhookSentReply,
} from '../contract/webhooks.ts';
import type { ConsoleContext } from '../context.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

type Pool = ConsoleContext['pool'];

/** The person who is signed in, to act on a webhook in its mode. Throws `not-found.webhook`. */
const callerFor = async (pool: Pool, response: Response, id: number): Promise<WebhookCaller> => {
  const { accountId } = scopeOf(response);
  const { isTest } = await findWebhook(pool, { accountId }, id);
  return { accountId, isTest, actor: sessionOf(response).person.email };
};

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
  async handle({ response }, { pool }) {
    const { accountId } = scopeOf(response);
    const lists = await Promise.all([false, true].map((isTest) => list(pool, { accountId, isTest })));
    return { status: 200, body: { items: lists.flat().map(describe), max: webhooksMax } };
  },
});

export const readWebhook = endpoint({
  method: 'get',
  path: '/accounts/:account/webhooks/:id',
  input: webhookPath,
  replies: { 200: { body: webhook } },
  handle: async ({ input: { id }, response }, { pool }) => ({
    status: 200,
    body: describe(await findWebhook(pool, scopeOf(response), id)),
  }),
});

export const createWebhook = endpoint({
  method: 'post',
  path: '/accounts/:account/webhooks',
  input: createWebhookInput,
  replies: { 201: { body: createWebhookReply } },
  async handle({ input: { isTest, ...given }, response }, { pool, secretsKeys, checkUrl }) {
    const { accountId } = scopeOf(response);
    const caller = { accountId, isTest, actor: sessionOf(response).person.email };
    const created = { ...given, ownHost: response.req.hostname };
    return { status: 201, body: await create(pool, { secretsKeys, checkUrl }, caller, created) };
  },
});

export const changeWebhook = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id',
  input: changeWebhookInput,
  parameters: webhookPath,
  replies: { 200: { body: webhook } },
  async handle({ input: changes, parameters: { id }, response }, { pool, checkUrl }) {
    const caller = await callerFor(pool, response, id);
    const changed = await change(pool, checkUrl, caller, id, { ...changes, ownHost: response.req.hostname });
    return { status: 200, body: describe(changed) };
  },
});

export const rotateWebhookSecret = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/secret',
  input: rotateSecretInput,
  parameters: webhookPath,
  replies: { 200: { body: rotateSecretReply } },
  async handle({ parameters: { id }, response }, { pool, secretsKeys }) {
    const caller = await callerFor(pool, response, id);
    const { secret, previousUntil } = await rotateSecret(pool, secretsKeys, caller, id);
    return { status: 200, body: { secret, previousUntil: previousUntil.toISOString() } };
  },
});

export const deleteWebhook = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/delete',
  input: deleteWebhookInput,
  parameters: webhookPath,
  replies: { 200: { body: deleteWebhookReply } },
  async handle({ parameters: { id }, response }, { pool, secretsKeys }) {
    await remove(pool, secretsKeys, await callerFor(pool, response, id), id);
    return { status: 200, body: { id } };
  },
});

const describeDelivery = ({
  attempts,
  nextAttemptAt,
  createdAt,
  closedAt,
  ...same
}: StoredDelivery): WebhookDelivery => ({
  ...same,
  attempts: attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
});

export const listWebhookDeliveries = endpoint({
  method: 'get',
  path: '/accounts/:account/webhooks/:id/deliveries',
  input: webhookDeliveriesInput,
  replies: { 200: { body: webhookDeliveriesReply } },
  async handle({ input: { id, state, after, limit }, response }, { pool }) {
    const page = await listDeliveries(pool, scopeOf(response), { id, state, after, limit });
    return { status: 200, body: { items: page.items.map(describeDelivery), next: page.next } };
  },
});

export const testWebhook = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/test',
  input: testWebhookInput,
  parameters: webhookPath,
  replies: { 202: { body: webhookSentReply } },
  async handle({ parameters: { id }, response }, { pool }) {
    const deliveryId = await test(pool, await callerFor(pool, response, id), id);
    return { status: 202, body: { deliveryId } };
  },
});

export const retryWebhookDelivery = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/retry',
  input: retryWebhookDeliveryInput,
  parameters: webhookPath,
  replies: { 202: { body: webhookSentReply } },
  async handle({ input: { deliveryId }, parameters: { id }, response }, { pool }) {
    await retry(pool, await callerFor(pool, response, id), { id, deliveryId });
    return { status: 202, body: { deliveryId } };
  },
});
