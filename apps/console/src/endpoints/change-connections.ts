import { nothing } from '@leadback/http';
import {
  changeConnectionInput,
  checkReply,
  connectionInput,
  connectionReply,
  createdReply,
  newConnectionInput,
  switchedReply,
} from '../contract/connections.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { naming, problems } from './connection-problems.ts';
import { describeCheck, describeContent } from './connection-view.ts';
import { noConnection } from './connections.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

export const checkNewConnection = endpoint({
  method: 'post',
  path: '/accounts/:account/connections/check',
  input: newConnectionInput,
  replies: {
    200: { body: checkReply },
    422: problems,
  },
  handle: ({ input }, { connections }) =>
    naming(async () => ({ status: 200 as const, body: describeCheck(await connections.checkTyped(input)) })),
});

export const createConnection = endpoint({
  method: 'post',
  path: '/accounts/:account/connections',
  input: newConnectionInput,
  replies: { 201: { body: createdReply }, 422: problems },
  handle: ({ input, response }, { connections }) =>
    naming(async () => {
      const id = await connections.create(scopeOf(response), sessionOf(response).person.email, input);
      return { status: 201 as const, body: { id } };
    }),
});

export const changeConnection = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/connections/:id/change',
  input: changeConnectionInput,
  parameters: connectionInput,
  replies: { 200: { body: connectionReply }, 422: problems },
  handle: ({ input, parameters: { id }, response }, { connections }) =>
    naming(async () => {
      const scope = scopeOf(response);
      await connections.change(scope, sessionOf(response).person.email, { id, ...input });
      const changed = await connections.read(scope, id);
      if (!changed) throw noConnection();
      return { status: 200 as const, body: describeContent(changed, connections) };
    }),
});

export const checkConnection = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/connections/:id/check',
  input: nothing,
  parameters: connectionInput,
  replies: { 200: { body: checkReply } },
  async handle({ parameters: { id }, response }, { connections }) {
    const checked = await connections.check(scopeOf(response), id);
    if (!checked) throw noConnection();
    return { status: 200, body: describeCheck(checked) };
  },
});

const switched = (verb: 'pause' | 'resume') =>
  endpointWithParameters({
    method: 'post',
    path: `/accounts/:account/connections/:id/${verb}`,
    input: nothing,
    parameters: connectionInput,
    replies: { 200: { body: switchedReply } },
    async handle({ parameters: { id }, response }, { connections }) {
      const deliveries = await connections[verb](scopeOf(response), sessionOf(response).person.email, id);
      return { status: 200, body: { deliveries } };
    },
  });

export const pauseConnection = switched('pause');
export const resumeConnection = switched('resume');
