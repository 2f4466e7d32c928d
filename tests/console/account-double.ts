import express, { type Router } from 'express';
import { retryDeliveriesInput } from '../../apps/console/src/contract/deliveries.ts';
import { overviewInput, qualityInput } from '../../apps/console/src/contract/results.ts';
import { type CountRetryReply, retryFilter, type Task } from '../../apps/console/src/contract/undelivered.ts';
import { erasuresDouble } from './data-double.ts';
import {
  deliveriesDouble,
  deliveryDouble,
  findDouble,
  payloadDouble,
  storyDouble,
  undeliveredDouble,
} from './deliveries-double.ts';
import { overviewDouble, qualityDouble } from './results-double.ts';
import { type DoubleState, refuse } from './session-double.ts';
import { connectionsDouble, webhooksDouble } from './setup-double.ts';

const emptyAccount = '2';
const total = 1204;

const count: CountRetryReply = {
  deliveries: total,
  conversions: 1180,
  money: [{ currency: 'USD', amount: '31220.00' }],
  isPartial: false,
  held: [{ connectionId: 2, connectionState: 'needs_attention', deliveries: 88 }],
};

const taskOf = (done: number): Task => ({
  id: 1,
  kind: 'retry',
  state: done < total ? 'running' : 'done',
  filter: { connectionId: 1, state: 'failed', code: 'event_too_old' },
  total,
  done,
  message: null,
  startedBy: 'ana@example.com',
  createdAt: new Date().toISOString(),
  finishedAt: done < total ? null : new Date().toISOString(),
});

/** The screens of an account: 1 has data of every kind, 2 has nothing that was not delivered. */
export const accountDouble = (state: DoubleState): Router => {
  const router = express.Router({ mergeParams: true });
  router.use(connectionsDouble());
  router.get('/:account/overview', (request, response) => {
    const input = overviewInput.parse({ ...request.query, account: request.params.account });
    response.json(overviewDouble(input));
  });
  router.get('/:account/undelivered', (request, response) => {
    response.json(request.params.account === emptyAccount ? { groups: [], waiting: [] } : undeliveredDouble);
  });
  router.post('/:account/undelivered/count', (request, response) => {
    retryFilter.parse(request.body);
    response.json(count);
  });
  router.post('/:account/undelivered/retry', (request, response) => {
    retryFilter.parse(request.body);
    state.retried = 0;
    response.status(202).json(taskOf(0));
  });
  router.get('/:account/tasks', (_request, response) => {
    if (state.retried === undefined) return void response.json({ items: [] });
    const items = [taskOf(state.retried)];
    state.retried = Math.min(state.retried + total / 2, total);
    return void response.json({ items });
  });
  router.get('/:account/deliveries', (request, response) => {
    response.json(deliveriesDouble(request.query));
  });
  router.post('/:account/deliveries/retry', (request, response) => {
    const [first, ...others] = retryDeliveriesInput.parse(request.body).ids;
    response.json({ retried: others, left: [{ id: first, why: 'delivered' }] });
  });
  router.get('/:account/deliveries/:id', (request, response) => {
    const found = deliveryDouble(Number(request.params.id));
    if (!found) return refuse(response, 404, 'not-found', 'no delivery of this account has this id');
    return void response.json(found);
  });
  router.get('/:account/quality', (request, response) => {
    qualityInput.parse({ ...request.query, account: request.params.account });
    response.json(request.params.account === emptyAccount ? { platforms: [] } : qualityDouble);
  });
  router.use(webhooksDouble());
  router.get('/:account/deliveries/:id/payload', (_request, response) => {
    response.json(payloadDouble);
  });
  router.post('/:account/find', (_request, response) => {
    response.json(findDouble);
  });
  router.get('/:account/story', (_request, response) => {
    response.json(storyDouble);
  });
  router.get('/:account/erasures', (request, response) => {
    response.json(request.params.account === emptyAccount ? { started: [], asked: [], receipts: [] } : erasuresDouble);
  });
  return router;
};
