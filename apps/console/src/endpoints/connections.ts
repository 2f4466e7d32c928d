import { platformNames, Refusal } from '@leadback/domain';
import { errorHeader, nothing } from '@leadback/server/http';
import { type ConnectionField, type PlatformDescriptor, platformList, type Remedy } from '@leadback/platforms';
import type { ListedConnection } from '@leadback/core/connections/list-connections';
import { z } from 'zod';
import type { Connections } from '../connections.ts';
import {
  type CheckReply,
  type Connection,
  type ConnectionReply,
  changeConnectionInput,
  checkReply,
  connectionInput,
  connectionReply,
  connectionsInput,
  connectionsReply,
  createdReply,
  newConnectionInput,
  type PlatformForm,
  platformsInput,
  platformsReply,
  problemsReply,
  switchedReply,
} from '../contract/connections.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint, endpointWithParameters, type GuardedEndpoint, ofAccount } from './guard.ts';

const describeField = ({ name, texts, isRequired, isSecret, isFile, choices, standard }: ConnectionField) => ({
  name,
  texts,
  isRequired,
  isSecret,
  isFile,
  choices: [...choices],
  standard: standard ?? null,
});

const nameSchema = z.enum(platformNames);

const describePlatform = ({
  name,
  texts: { en, es, pt },
  fields,
  credentialKinds,
  eventKinds,
  eventSettings,
}: PlatformDescriptor): PlatformForm => {
  const isCredential = new Set(credentialKinds.flat());
  const fieldsOf = (names: readonly string[]) => fields.filter((one) => names.includes(one.name)).map(describeField);
  return {
    name: nameSchema.parse(name),
    needed: { en: en.needed, es: es.needed, pt: pt.needed },
    settings: fields.filter((one) => !isCredential.has(one.name)).map(describeField),
    credentials: credentialKinds.map(fieldsOf),
    eventKinds: [...eventKinds],
    eventSettings: eventSettings
      ? { conversion: eventSettings.conversion, ...(eventSettings.lead !== undefined && { lead: eventSettings.lead }) }
      : null,
  };
};

const platformForms: PlatformForm[] = platformList.map(describePlatform);

const describeRemedy = (remedy: Remedy | undefined): Connection['remedy'] =>
  remedy ? { words: remedy.words, change: [...remedy.change, ...(remedy.credentials ?? [])] } : null;

const describeConnection = (connection: ListedConnection, { remedyFor }: Connections): Connection => ({
  ...connection,
  eventKinds: [...connection.eventKinds],
  createdAt: connection.createdAt.toISOString(),
  retryAt: connection.retryAt?.toISOString() ?? null,
  deliveredAt: connection.deliveredAt?.toISOString() ?? null,
  remedy: describeRemedy(remedyFor(connection)),
});

const describeContent = (
  { connection, edition, settings, credentials, eventNames }: NonNullable<Awaited<ReturnType<Connections['read']>>>,
  connections: Connections,
): ConnectionReply => ({
  connection: describeConnection(connection, connections),
  edition,
  settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  credentials: credentials ? [...credentials] : null,
  eventNames: { ...eventNames },
});

const describeCheck = ({
  outcome,
  httpStatus,
  body,
  note,
  remedy,
}: Awaited<ReturnType<Connections['checkTyped']>>): CheckReply => ({
  outcome: outcome.kind,
  reason: 'reason' in outcome ? outcome.reason : null,
  httpStatus,
  answer: body,
  note,
  remedy: describeRemedy(remedy),
});

const noConnection = () => new Refusal('not-found', { message: 'there is no such connection' });

const listPlatforms = endpoint({
  method: 'get',
  path: '/accounts/:account/connections/platforms',
  input: platformsInput,
  replies: { 200: { body: platformsReply } },
  handle: () => Promise.resolve({ status: 200 as const, body: { items: platformForms } }),
});

const listConnections = endpoint({
  method: 'get',
  path: '/accounts/:account/connections',
  input: connectionsInput,
  replies: { 200: { body: connectionsReply } },
  async handle({ response }, { connections }) {
    const listed = await connections.list(scopeOf(response));
    return { status: 200, body: { items: listed.map((one) => describeConnection(one, connections)) } };
  },
});

const readConnection = endpoint({
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

/** The reply of an endpoint that takes settings, if some are wrong. */
const problems = { description: 'What is wrong with each field.', body: problemsReply, example: undefined };

/** Runs an action on typed settings; if it finds some wrong, the reply says what is wrong with each of them. */
const naming = async <Reply>(act: () => Promise<Reply>) => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const found = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
    const message = found.map((one) => `${one.field}: ${one.message}`).join('; ');
    const headers = { [errorHeader]: 'invalid-fields' };
    return { status: 422 as const, headers, body: { message, problems: found } };
  }
};

const checkNewConnection = endpoint({
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

const createConnection = endpoint({
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

const changeConnection = endpointWithParameters({
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

const checkConnection = endpointWithParameters({
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

const pauseConnection = switched('pause');
const resumeConnection = switched('resume');

export const connectionEndpoints: readonly GuardedEndpoint[] = [
  ofAccount(listConnections, 'read', 'reads'),
  ofAccount(createConnection, 'manage-connections', 'fresh'),
  ofAccount(listPlatforms, 'read', 'reads'),
  ofAccount(checkNewConnection, 'manage-connections', 'fresh'),
  ofAccount(readConnection, 'read', 'reads'),
  ofAccount(changeConnection, 'manage-connections', 'fresh'),
  ofAccount(checkConnection, 'manage-connections', 'tests'),
  ofAccount(pauseConnection, 'manage-connections', 'fresh'),
  ofAccount(resumeConnection, 'manage-connections', 'fresh'),
];
