import { endpoint, endpointWithParameters, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
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

const subject = 'Connections';

export const checkNewConnection = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/connections/check',
  subject,
  summary: 'Send a test event with settings that are not stored',
  description: 'Stores nothing.',
  input: newConnectionInput,
  headers: nothing,
  replies: {
    200: { description: "The platform's answer.", body: checkReply, example: undefined },
    422: problems,
  },
  handle: ({ input }, { connections }) =>
    naming(async () => ({ status: 200 as const, body: describeCheck(await connections.checkTyped(input)) })),
});

export const createConnection = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/connections',
  subject,
  summary: 'Connect the account to a platform',
  description: 'New conversions are reported there.',
  input: newConnectionInput,
  headers: nothing,
  replies: { 201: { description: 'Connected.', body: createdReply, example: undefined }, 422: problems },
  handle: ({ input, response }, { connections }) =>
    naming(async () => {
      const id = await connections.create(scopeOf(response), sessionOf(response).person.email, input);
      return { status: 201 as const, body: { id } };
    }),
});

export const changeConnection = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/connections/:id/change',
  subject,
  summary: 'Change settings, credentials and events',
  description: 'What is not named stays.',
  input: changeConnectionInput,
  parameters: connectionInput,
  headers: nothing,
  replies: { 200: { description: 'Changed.', body: connectionReply, example: undefined }, 422: problems },
  handle: ({ input, parameters: { id }, response }, { connections }) =>
    naming(async () => {
      const scope = scopeOf(response);
      await connections.change(scope, sessionOf(response).person.email, { id, ...input });
      const changed = await connections.read(scope, id);
      if (!changed) throw noConnection();
      return { status: 200 as const, body: describeContent(changed, connections) };
    }),
});

export const checkConnection = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/connections/:id/check',
  subject,
  summary: 'Send a test event',
  description: 'It does not count as a conversion.',
  input: nothing,
  parameters: connectionInput,
  headers: nothing,
  replies: { 200: { description: "The platform's answer.", body: checkReply, example: undefined } },
  async handle({ parameters: { id }, response }, { connections }) {
    const checked = await connections.check(scopeOf(response), id);
    if (!checked) throw noConnection();
    return { status: 200, body: describeCheck(checked) };
  },
});

const switched = (verb: 'pause' | 'resume', summary: string) =>
  endpointWithParameters<ConsoleContext>()({
    method: 'post',
    path: `/accounts/:account/connections/:id/${verb}`,
    subject,
    summary,
    description: 'Says how many deliveries are pending.',
    input: nothing,
    parameters: connectionInput,
    headers: nothing,
    replies: { 200: { description: 'Done.', body: switchedReply, example: undefined } },
    async handle({ parameters: { id }, response }, { connections }) {
      const deliveries = await connections[verb](scopeOf(response), sessionOf(response).person.email, id);
      return { status: 200, body: { deliveries } };
    },
  });

export const pauseConnection = switched('pause', 'Stop sending over a connection');
export const resumeConnection = switched('resume', 'Send over a connection again');
