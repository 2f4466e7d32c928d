import { Refusal } from '@leadback/domain';
import { type ListedDelivery, listDeliveries, readDelivery } from '@leadback/core/delivery/list-deliveries';
import { retryDeliveries } from '@leadback/core/delivery/retry';
import {
  type Delivery,
  deliveriesInput,
  deliveriesReply,
  previewPayloadReply,
  readDeliveryReply,
  retryDeliveriesInput,
  retryDeliveriesReply,
} from '../contract/deliveries.ts';
import type { PersonalData } from '../personal-data.ts';
import { previewPayload } from '../preview-payload.ts';
import { dataFor } from '../sessions/authenticate.ts';
import { ofAccount, ofId } from './guard.ts';

const deliveriesPerPage = 50;

export const describeDelivery = (
  { occurredAt, createdAt, closedAt, nextAttemptAt, externalReference, ...delivery }: ListedDelivery,
  data: PersonalData,
): Delivery => ({
  ...delivery,
  externalReference: data.reference(externalReference),
  occurredAt: occurredAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  closedAt: closedAt?.toISOString() ?? null,
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
});

const noDelivery = () => new Refusal('not-found', { message: 'there is no such delivery' });

export const deliveryEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/deliveries',
    input: deliveriesInput,
    reply: deliveriesReply,
    async handle({ input, scope, session }, { pool }) {
      const { connection: connectionId, conversion: conversionId, test, ...same } = input;
      const filter = { ...same, connectionId, conversionId, isTest: test === 'true', limit: deliveriesPerPage };
      const { items, next } = await listDeliveries(pool, scope, filter);
      const data = dataFor(session);
      return { items: items.map((one) => describeDelivery(one, data)), next: next ?? null };
    },
  }),

  ofAccount('retry', 'repeats', {
    method: 'post',
    path: '/accounts/:account/deliveries/retry',
    input: retryDeliveriesInput,
    reply: retryDeliveriesReply,
    async handle({ input: { ids }, scope, actor }, { pool, events }) {
      const outcome = await retryDeliveries(pool, scope, { actor, ids });
      events.deliveriesRetried(outcome.retried.length);
      return outcome;
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/deliveries/:id',
    input: ofId,
    reply: readDeliveryReply,
    async handle({ input: { id }, scope, session }, { pool }) {
      const found = await readDelivery(pool, scope, id);
      if (!found) throw noDelivery();
      const { delivery, attempts } = found;
      return {
        delivery: describeDelivery(delivery, dataFor(session)),
        attempts: attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
      };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/deliveries/:id/payload',
    input: ofId,
    reply: previewPayloadReply,
    async handle({ input: { id }, scope }, context) {
      const payload = await previewPayload(context, scope, id);
      if (!payload) throw noDelivery();
      return payload;
    },
  }),
];
