import { Refusal, webhooksMax } from '@leadback/domain';
import type { WebhookCaller, WebhookRecord, Webhooks } from '@leadback/core/webhooks/webhooks';
import type { WebhookDelivery as StoredDelivery } from '@leadback/core/webhooks/list-deliveries';
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
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

type Finder = Pick<Webhooks, 'find'>;

/** A webhook of the account of the path. Throws `not-found.webhook`. */
const findWebhook = async ({ find }: Finder, response: Response, id: number): Promise<WebhookRecord> => {
  const found = await find(scopeOf(response).accountId, id);
  if (!found) throw new Refusal('not-found.webhook');
  return found;
};

/** The person who is signed in, to act on a webhook in its mode. Throws `not-found.webhook`. */
const callerFor = async (webhooks: Finder, response: Response, id: number): Promise<WebhookCaller> => {
  const { isTest } = await findWebhook(webhooks, response, id);
  return { accountId: scopeOf(response).accountId, isTest, actor: sessionOf(response).person.email };
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
  async handle({ input: { id, state, after, limit }, response }, { webhooks, listWebhookDeliveries: list }) {
    const page = await list(await callerFor(webhooks, response, id), { id, state, after, limit });
    if (!page) throw new Refusal('not-found.webhook');
    return { status: 200, body: { items: page.items.map(describeDelivery), next: page.next } };
  },
});

export const testWebhook = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/test',
  input: testWebhookInput,
  parameters: webhookPath,
  replies: { 202: { body: webhookSentReply } },
  async handle({ parameters: { id }, response }, { webhooks }) {
    const deliveryId = await webhooks.test(await callerFor(webhooks, response, id), id);
    return { status: 202, body: { deliveryId } };
  },
});

export const retryWebhookDelivery = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/retry',
  input: retryWebhookDeliveryInput,
  parameters: webhookPath,
  replies: { 202: { body: webhookSentReply } },
  async handle({ input: { deliveryId }, parameters: { id }, response }, { webhooks }) {
    await webhooks.retry(await callerFor(webhooks, response, id), { id, deliveryId });
    return { status: 202, body: { deliveryId } };
  },
});
