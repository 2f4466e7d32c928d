import { webhooksMax } from '@leadback/domain';
import { nothing } from '@leadback/server/http';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  retryWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  type WebhookCaller,
  type WebhookRecord,
} from '@leadback/core/webhooks/webhooks';
import { listWebhookDeliveries, type WebhookDelivery as StoredDelivery } from '@leadback/core/webhooks/list-deliveries';
import type { ConsoleContext } from '../context.ts';
import {
  changeWebhookInput,
  createWebhookInput,
  createWebhookReply,
  deleteWebhookReply,
  listWebhooksReply,
  retryWebhookDeliveryInput,
  rotateSecretReply,
  type Webhook,
  type WebhookDelivery,
  webhook,
  webhookDeliveriesInput,
  webhookDeliveriesReply,
  webhookSentReply,
} from '../contract/webhooks.ts';
import { type OfAccount, ofAccount, ofId } from './guard.ts';

/** The person who is signed in, to act on a webhook in its mode. Throws `not-found.webhook`. */
const callerFor = async (
  { pool }: Pick<ConsoleContext, 'pool'>,
  { scope: { accountId }, actor }: OfAccount,
  id: number,
): Promise<WebhookCaller> => {
  const { isTest } = await findWebhook(pool, { accountId }, id);
  return { accountId, isTest, actor };
};

const describe = ({ events, createdAt, lastAcceptedAt, ...same }: WebhookRecord): Webhook => ({
  ...same,
  events: [...events],
  createdAt: createdAt.toISOString(),
  lastAcceptedAt: lastAcceptedAt?.toISOString() ?? null,
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

export const webhookEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/webhooks',
    input: nothing,
    reply: listWebhooksReply,
    async handle({ scope: { accountId } }, { pool }) {
      const lists = await Promise.all([false, true].map((isTest) => listWebhooks(pool, { accountId, isTest })));
      return { items: lists.flat().map(describe), max: webhooksMax };
    },
  }),

  ofAccount('manage-webhooks', 'fresh', {
    method: 'post',
    path: '/accounts/:account/webhooks',
    input: createWebhookInput,
    reply: createWebhookReply,
    status: 201,
    async handle(
      { input: { isTest, ...given }, scope: { accountId }, actor, response },
      { pool, secretsKeys, checkUrl },
    ) {
      const created = { ...given, ownHost: response.req.hostname };
      return createWebhook(pool, { secretsKeys, checkUrl }, { accountId, isTest, actor }, created);
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/webhooks/:id',
    input: ofId,
    reply: webhook,
    handle: async ({ input: { id }, scope }, { pool }) => describe(await findWebhook(pool, scope, id)),
  }),

  ofAccount('manage-webhooks', 'fresh', {
    method: 'post',
    path: '/accounts/:account/webhooks/:id',
    input: changeWebhookInput.extend(ofId.shape),
    reply: webhook,
    async handle({ input: { id, ...changes }, response, ...asked }, context) {
      const caller = await callerFor(context, asked, id);
      const changed = { ...changes, ownHost: response.req.hostname };
      return describe(await changeWebhook(context.pool, context.checkUrl, caller, id, changed));
    },
  }),

  ofAccount('manage-webhooks', 'fresh', {
    method: 'post',
    path: '/accounts/:account/webhooks/:id/secret',
    input: ofId,
    reply: rotateSecretReply,
    async handle({ input: { id }, ...asked }, context) {
      const caller = await callerFor(context, asked, id);
      const { secret, previousUntil } = await rotateWebhookSecret(context.pool, context.secretsKeys, caller, id);
      return { secret, previousUntil: previousUntil.toISOString() };
    },
  }),

  ofAccount('manage-webhooks', 'fresh', {
    method: 'post',
    path: '/accounts/:account/webhooks/:id/delete',
    input: ofId,
    reply: deleteWebhookReply,
    async handle({ input: { id }, ...asked }, context) {
      await deleteWebhook(context.pool, context.secretsKeys, await callerFor(context, asked, id), id);
      return { id };
    },
  }),

  ofAccount('manage-webhooks', 'tests', {
    method: 'post',
    path: '/accounts/:account/webhooks/:id/test',
    input: ofId,
    reply: webhookSentReply,
    status: 202,
    handle: async ({ input: { id }, ...asked }, context) => ({
      deliveryId: await testWebhook(context.pool, await callerFor(context, asked, id), id),
    }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/webhooks/:id/deliveries',
    input: webhookDeliveriesInput.extend(ofId.shape),
    reply: webhookDeliveriesReply,
    async handle({ input, scope }, { pool }) {
      const page = await listWebhookDeliveries(pool, scope, input);
      return { items: page.items.map(describeDelivery), next: page.next };
    },
  }),

  ofAccount('manage-webhooks', 'repeats', {
    method: 'post',
    path: '/accounts/:account/webhooks/:id/retry',
    input: retryWebhookDeliveryInput.extend(ofId.shape),
    reply: webhookSentReply,
    status: 202,
    async handle({ input: { id, deliveryId }, ...asked }, context) {
      await retryWebhookDelivery(context.pool, await callerFor(context, asked, id), { id, deliveryId });
      return { deliveryId };
    },
  }),
];
