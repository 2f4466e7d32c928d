import { Refusal } from '@leadback/domain';
import { endpoint, endpointWithParameters, nothing } from '@leadback/http';
import type { WebhookDelivery as StoredDelivery } from '@leadback/reports';
import type { ConsoleContext } from '../context.ts';
import {
  retryWebhookDeliveryInput,
  testWebhookInput,
  webhookDeliveriesInput,
  webhookDeliveriesReply,
  type WebhookDelivery,
  webhookSentReply,
} from '../contract/webhook-deliveries.ts';
import { webhookPath } from '../contract/webhooks.ts';
import { callerFor } from './webhook-caller.ts';

const subject = 'Webhooks';

const describe = ({ attempts, nextAttemptAt, createdAt, closedAt, ...same }: StoredDelivery): WebhookDelivery => ({
  ...same,
  attempts: attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
});

export const listWebhookDeliveries = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/webhooks/:id/deliveries',
  subject,
  summary: 'The log of a webhook',
  description: 'Newest first, with attempts.',
  input: webhookDeliveriesInput,
  headers: nothing,
  replies: { 200: { description: 'A page.', body: webhookDeliveriesReply, example: undefined } },
  async handle({ input: { id, state, after, limit }, response }, { webhooks, listWebhookDeliveries: list }) {
    const page = await list(await callerFor(webhooks, response, id), { id, state, after, limit });
    if (!page) throw new Refusal('not-found.webhook');
    return { status: 200, body: { items: page.items.map(describe), next: page.next } };
  },
});

export const testWebhook = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/test',
  subject,
  summary: 'Send a test event',
  description: 'The log shows how the receiver responded.',
  input: testWebhookInput,
  parameters: webhookPath,
  headers: nothing,
  replies: { 202: { description: 'It will be sent.', body: webhookSentReply, example: undefined } },
  async handle({ parameters: { id }, response }, { webhooks }) {
    const deliveryId = await webhooks.test(await callerFor(webhooks, response, id), id);
    return { status: 202, body: { deliveryId } };
  },
});

export const retryWebhookDelivery = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/webhooks/:id/retry',
  subject,
  summary: 'Send a delivery again',
  description: 'Leaves one that is pending.',
  input: retryWebhookDeliveryInput,
  parameters: webhookPath,
  headers: nothing,
  replies: { 202: { description: 'It will be sent.', body: webhookSentReply, example: undefined } },
  async handle({ input: { deliveryId }, parameters: { id }, response }, { webhooks }) {
    await webhooks.retry(await callerFor(webhooks, response, id), { id, deliveryId });
    return { status: 202, body: { deliveryId } };
  },
});
