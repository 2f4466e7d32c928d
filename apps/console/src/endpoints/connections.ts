import { Refusal } from '@leadback/domain';
import {
  connectionInput,
  connectionReply,
  connectionsInput,
  connectionsReply,
  platformsInput,
  platformsReply,
} from '../contract/connections.ts';
import { scopeOf } from '../sessions/authenticate.ts';
import { describeConnection, describeContent, platformForms } from './connection-view.ts';
import { endpoint } from './guard.ts';

export const noConnection = () => new Refusal('not-found', { message: 'there is no such connection' });

export const listPlatforms = endpoint({
  method: 'get',
  path: '/accounts/:account/connections/platforms',
  input: platformsInput,
  replies: { 200: { body: platformsReply } },
  handle: () => Promise.resolve({ status: 200 as const, body: { items: platformForms } }),
});

export const listConnections = endpoint({
  method: 'get',
  path: '/accounts/:account/connections',
  input: connectionsInput,
  replies: { 200: { body: connectionsReply } },
  async handle({ response }, { connections }) {
    const listed = await connections.list(scopeOf(response));
    return { status: 200, body: { items: listed.map((one) => describeConnection(one, connections)) } };
  },
});

export const readConnection = endpoint({
  method: 'get',
  path: '/accounts/:account/connections/:id',
  input: connectionInput,
  replies: { 200: { body: connectionReply } },
  async handle({ input, response }, { connections }) {
    const found = await connections.read(scopeOf(response), input.id);
    if (!found) throw noConnection();
    return { status: 200, body: describeContent(found, connections) };
  },
});
