import { Refusal } from '@leadback/domain';
import type { WebhookDelivery as StoredDelivery } from '@leadback/reports';
import {
  retryWebhookDeliveryInput,
  testWebhookInput,
  type WebhookDelivery,
  webhookDeliveriesInput,
  webhookDeliveriesReply,
  webhookSentReply,
} from '../contract/webhook-deliveries.ts';
import { webhookPath } from '../contract/webhooks.ts';
import { endpoint, endpointWithParameters } from './guard.ts';
import { callerFor } from './webhook-caller.ts';

const describe = ({ attempts, nextAttemptAt, createdAt, closedAt, ...same }: StoredDelivery): WebhookDelivery => ({
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
    return { status: 200, body: { items: page.items.map(describe), next: page.next } };
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
