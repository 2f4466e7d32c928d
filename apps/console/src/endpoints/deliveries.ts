import { Refusal } from '@leadback/domain';
import { type ListedDelivery, listDeliveries, readDelivery } from '@leadback/core/delivery/list-deliveries';
import { retryDeliveries as retry } from '@leadback/core/delivery/retry';
import {
  type Delivery,
  deliveriesInput,
  deliveriesPerPage,
  deliveriesReply,
  previewPayloadInput,
  previewPayloadReply,
  readDeliveryInput,
  readDeliveryReply,
  retryDeliveriesInput,
  retryDeliveriesReply,
} from '../contract/deliveries.ts';
import type { PersonalData } from '../personal-data.ts';
import { meaningOf } from '../reason-meanings.ts';
import { dataFor, scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

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

export const getDeliveries = endpoint({
  method: 'get',
  path: '/accounts/:account/deliveries',
  input: deliveriesInput,
  replies: { 200: { body: deliveriesReply } },
  async handle({ input, response }, { pool }) {
    const data = dataFor(response);
    const { platform, connection, state, code, conversion, test, after } = input;
    const { items, next } = await listDeliveries(pool, scopeOf(response), {
      platform,
      connectionId: connection,
      state,
      code,
      conversionId: conversion,
      isTest: test === 'true',
      after,
      limit: deliveriesPerPage,
    });
    return { status: 200, body: { items: items.map((one) => describeDelivery(one, data)), next: next ?? null } };
  },
});

export const getDelivery = endpoint({
  method: 'get',
  path: '/accounts/:account/deliveries/:id',
  input: readDeliveryInput,
  replies: { 200: { body: readDeliveryReply } },
  async handle({ input, response }, { pool }) {
    const found = await readDelivery(pool, scopeOf(response), input.id);
    if (!found) throw new Refusal('not-found', { message: 'there is no such delivery' });
    const { delivery, attempts } = found;
    const { meaning = null, remedy = null } = meaningOf(delivery.platform, delivery.code) ?? {};
    return {
      status: 200,
      body: {
        delivery: describeDelivery(delivery, dataFor(response)),
        meaning,
        remedy,
        attempts: attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
      },
    };
  },
});

export const retryDeliveries = endpoint({
  method: 'post',
  path: '/accounts/:account/deliveries/retry',
  input: retryDeliveriesInput,
  replies: { 200: { body: retryDeliveriesReply } },
  async handle({ input: { ids }, response }, { pool, events }) {
    const { email: actor } = sessionOf(response).person;
    const outcome = await retry(pool, scopeOf(response), { actor, ids });
    events.deliveriesRetried(outcome.retried.length);
    return { status: 200, body: outcome };
  },
});

export const previewPayload = endpoint({
  method: 'get',
  path: '/accounts/:account/deliveries/:id/payload',
  input: previewPayloadInput,
  replies: { 200: { body: previewPayloadReply } },
  async handle({ input, response }, { previewPayload: preview }) {
    const payload = await preview(scopeOf(response), input.id);
    if (!payload) throw new Refusal('not-found', { message: 'there is no such delivery' });
    return { status: 200, body: payload };
  },
});
