import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
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

const subject = 'Connections';

export const noConnection = () => new Refusal('not-found', { message: 'there is no such connection' });

export const listPlatforms = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/connections/platforms',
  subject,
  summary: 'What each platform needs to know',
  description: 'Settings, kinds of credentials and events.',
  input: platformsInput,
  headers: nothing,
  replies: { 200: { description: 'The platforms.', body: platformsReply, example: undefined } },
  handle: () => Promise.resolve({ status: 200 as const, body: { items: platformForms } }),
});

export const listConnections = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/connections',
  subject,
  summary: 'The connections of an account to platforms',
  description: 'With their health.',
  input: connectionsInput,
  headers: nothing,
  replies: { 200: { description: 'The connections.', body: connectionsReply, example: undefined } },
  async handle({ response }, { connections }) {
    const listed = await connections.list(scopeOf(response));
    return { status: 200, body: { items: listed.map((one) => describeConnection(one, connections)) } };
  },
});

export const readConnection = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/connections/:id',
  subject,
  summary: 'One connection with its settings',
  description: 'Never the values of its credentials.',
  input: connectionInput,
  headers: nothing,
  replies: { 200: { description: 'The connection.', body: connectionReply, example: undefined } },
  async handle({ input, response }, { connections }) {
    const found = await connections.read(scopeOf(response), input.id);
    if (!found) throw noConnection();
    return { status: 200, body: describeContent(found, connections) };
  },
});
