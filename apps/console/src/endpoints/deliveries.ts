import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { ListedDelivery } from '@leadback/reports';
import type { ConsoleContext } from '../context.ts';
import {
  deliveriesInput,
  deliveriesPerPage,
  deliveriesReply,
  type Delivery,
  readDeliveryInput,
  readDeliveryReply,
  retryDeliveriesInput,
  retryDeliveriesReply,
} from '../contract/deliveries.ts';
import { meaningOf } from '../reason-meanings.ts';
import type { PersonalData } from '../personal-data.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { dataFor } from '../sessions/data-for.ts';

const subject = 'Deliveries';

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

export const listDeliveries = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/deliveries',
  subject,
  summary: 'What happened to each delivery',
  description: 'Newest first.',
  input: deliveriesInput,
  headers: nothing,
  replies: { 200: { description: 'A page.', body: deliveriesReply, example: undefined } },
  async handle({ input, response }, { listDeliveries: list }) {
    const data = dataFor(response);
    const { platform, connection, state, code, conversion, test, after } = input;
    const { items, next } = await list(scopeOf(response), {
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

export const readDelivery = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/deliveries/:id',
  subject,
  summary: 'One delivery with its attempts',
  description: "In the platform's words.",
  input: readDeliveryInput,
  headers: nothing,
  replies: { 200: { description: 'The delivery.', body: readDeliveryReply, example: undefined } },
  async handle({ input, response }, { readDelivery: read }) {
    const found = await read(scopeOf(response), input.id);
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

export const retryDeliveries = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/deliveries/retry',
  subject,
  summary: 'Send deliveries again',
  description: 'Leaves those that were delivered meanwhile.',
  input: retryDeliveriesInput,
  headers: nothing,
  replies: { 200: { description: 'What is sent again.', body: retryDeliveriesReply, example: undefined } },
  async handle({ input: { ids }, response }, { retryDeliveries: retry, events }) {
    const outcome = await retry(scopeOf(response), sessionOf(response).person.email, ids);
    events.deliveriesRetried(outcome.retried.length);
    return { status: 200, body: outcome };
  },
});
