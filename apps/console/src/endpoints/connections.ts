import { setTimeout as pause } from 'node:timers/promises';
import { platformNames, type PlatformName, Refusal } from '@leadback/domain';
import { nothing } from '@leadback/server/http';
import {
  type ConnectionTools,
  changeConnection,
  checkConnection,
  checkTypedConnection,
  createConnection,
  pauseConnection,
  readConnectionContent,
  rejectedCheck,
  resumeConnection,
} from '@leadback/core/connections/connections';
import { deleteConnection } from '@leadback/core/connections/delete';
import {
  type Backfilled,
  type BackfillCursor,
  backfillPart,
  nothingBackfilled,
} from '@leadback/core/connections/backfill';
import { type ListedConnection, listConnections } from '@leadback/core/connections/list-connections';
import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import type { AccountScope } from '@leadback/core/people/access';
import {
  type ConnectionField,
  isEnding,
  type PlatformDescriptor,
  platformList,
  type PlatformResponse,
  type Platforms,
  type Remedy,
  type TakeSlot,
} from '@leadback/platforms';
import { z } from 'zod';
import type { ConsoleContext } from '../context.ts';
import {
  type CheckReply,
  type Connection,
  type ConnectionReply,
  backfillInput,
  backfillReply,
  changeConnectionInput,
  checkReply,
  connectionReply,
  connectionsReply,
  changedReply,
  createConnectionInput,
  createdReply,
  deleteConnectionInput,
  newConnectionInput,
  type PlatformForm,
  platformsReply,
  switchedReply,
} from '../contract/connections.ts';
import { naming, ofAccount, ofId } from './guard.ts';

// a person sees how far it is
const backfillMs = 1_000;

// a person waits for the answer
const waitMaxMs = 5_000;

/** Test events take slots of the same quotas as the deliveries of the workers. */
export const takeCheckSlot =
  (pool: ConsoleContext['pool']): TakeSlot =>
  async (quota) => {
    const { taken, inMs } = await takeQuotaSlot(pool, { ...quota, waitMaxMs });
    if (!taken) return inMs;
    await pause(inMs);
    return undefined;
  };

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

export const describeRemedy = (remedy: Remedy | undefined): Connection['remedy'] =>
  remedy ? { words: remedy.words, change: [...remedy.change, ...(remedy.credentials ?? [])] } : null;

const describeVersionEnd = ({ apiVersion }: PlatformDescriptor): Connection['versionEnd'] => {
  const nowMs = Date.now();
  if (!isEnding(apiVersion, nowMs)) return null;
  const { version, endsAt } = apiVersion;
  return { version, endsAt: endsAt.toISOString(), hasEnded: endsAt.getTime() <= nowMs };
};

/** With how it is fixed if its platform rejects it. */
const describeConnection = (connection: ListedConnection, platforms: Platforms): Connection => ({
  ...connection,
  eventKinds: [...connection.eventKinds],
  createdAt: connection.createdAt.toISOString(),
  retryAt: connection.retryAt?.toISOString() ?? null,
  deliveredAt: connection.deliveredAt?.toISOString() ?? null,
  versionEnd: describeVersionEnd(platforms[connection.platform]),
  remedy: describeRemedy(
    connection.state === 'needs_attention'
      ? platforms[connection.platform].remedyFor(connection.stateReason ?? '')
      : undefined,
  ),
});

/** The answer of a platform to a test event, and what it means for the connection. */
const describeCheck = (
  { outcome, httpStatus, body, sent = 0 }: PlatformResponse & { readonly sent?: number },
  platforms: Platforms,
  platform: PlatformName,
): CheckReply => {
  const { codes, remedyFor } = platforms[platform];
  return {
    outcome: outcome.kind,
    reason: 'reason' in outcome ? outcome.reason : null,
    httpStatus,
    answer: body,
    note: outcome.kind === 'rejected' ? rejectedCheck(codes, outcome.reason) : null,
    remedy: describeRemedy(outcome.kind === 'refused' ? remedyFor(outcome.reason) : undefined),
    sent,
  };
};

const noConnection = () => new Refusal('not-found', { message: 'there is no such connection' });

const toolsOf = ({ platforms, secretsKeys }: Pick<ConsoleContext, 'platforms' | 'secretsKeys'>): ConnectionTools => ({
  platforms,
  secretsKeys,
  texts: { field: ({ texts }) => texts.en.label, mapping: (eventName, value) => `${eventName} = ${value}` },
});

const readConnection = async (context: ConsoleContext, scope: AccountScope, id: number): Promise<ConnectionReply> => {
  const [connection] = await listConnections(context.pool, scope, id);
  if (!connection) throw noConnection();
  const content = await readConnectionContent(context.pool, context, { id, scope });
  return {
    connection: describeConnection(connection, context.platforms),
    version: content.version,
    label: content.connection.label ?? '',
    settings: Object.fromEntries(Object.entries(content.settings).map(([name, value]) => [name, String(value)])),
    credentials: content.credentials ? [...content.credentials] : null,
    eventNames: { ...content.connection.eventNames },
  };
};

const receivesOf = ({
  eventKinds,
  eventNames,
}: Pick<z.output<typeof newConnectionInput>, 'eventKinds' | 'eventNames'>) => ({
  events: eventKinds,
  mapEvent: Object.entries(eventNames),
  isWholeMapping: true,
});

const switched = (verb: 'pause' | 'resume', act: typeof pauseConnection) =>
  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: `/accounts/:account/connections/:id/${verb}`,
    input: ofId,
    reply: switchedReply,
    handle: async ({ input: { id }, scope, actor }, { pool }) => ({
      deliveries: await act(pool, { actor, id, scope }),
    }),
  });

export const connectionEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/connections',
    input: nothing,
    reply: connectionsReply,
    handle: async ({ scope }, { pool, platforms }) => ({
      items: (await listConnections(pool, scope)).map((one) => describeConnection(one, platforms)),
    }),
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/connections',
    input: createConnectionInput,
    reply: createdReply,
    status: 201,
    handle: ({ input, scope, actor }, context) =>
      naming(async () => {
        const { platform, label, content, isChecked } = input;
        const { accountId } = scope;
        const wanted = { actor, accountId, platform, label, content, receives: receivesOf(input) };
        const { id } = await createConnection(context.pool, toolsOf(context), wanted);
        if (isChecked) await checkConnection(context.pool, context, { actor, id, scope });
        return { id };
      }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/connections/platforms',
    input: nothing,
    reply: platformsReply,
    handle: async () => ({ items: platformForms }),
  }),

  // of a connection that is not stored
  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/connections/check',
    input: newConnectionInput,
    reply: checkReply,
    handle: ({ input }, context) =>
      naming(async () => {
        const { platform, content } = input;
        const answer = await checkTypedConnection(toolsOf(context), { platform, content, receives: receivesOf(input) });
        return describeCheck(answer, context.platforms, platform);
      }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/connections/:id',
    input: ofId,
    reply: connectionReply,
    handle: ({ input: { id }, scope }, context) => readConnection(context, scope, id),
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/connections/:id/change',
    input: changeConnectionInput.extend(ofId.shape),
    reply: changedReply,
    handle: ({ input, scope, actor }, context) =>
      naming(async () => {
        const { id, version, label, content } = input;
        const change = { actor, id, scope, version, label, content, receives: receivesOf(input) };
        const { check } = await changeConnection(context.pool, toolsOf(context), change);
        const changed = await readConnection(context, scope, id);
        return {
          ...changed,
          check: check ? describeCheck(check, context.platforms, changed.connection.platform) : null,
        };
      }),
  }),

  ofAccount('manage-connections', 'tests', {
    method: 'post',
    path: '/accounts/:account/connections/:id/check',
    input: ofId,
    reply: checkReply,
    async handle({ input: { id }, scope, actor }, context) {
      const [known] = await listConnections(context.pool, scope, id);
      if (!known) throw noConnection();
      const answer = await checkConnection(context.pool, context, { actor, id, scope });
      return describeCheck(answer, context.platforms, known.platform);
    },
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/connections/:id/delete',
    input: deleteConnectionInput.extend(ofId.shape),
    reply: switchedReply,
    handle: async ({ input: { id, isDiscarding }, scope, actor }, { pool, secretsKeys }) => ({
      deliveries: await deleteConnection(pool, { secretsKeys }, { actor, id, scope, isDiscarding }),
    }),
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/connections/:id/backfill',
    input: backfillInput.extend(ofId.shape),
    reply: backfillReply,
    async handle({ input: { id, isDryRun, after, sums: sumsBefore = nothingBackfilled }, scope, actor }, { pool }) {
      const until = performance.now() + backfillMs;
      let [sums, next]: [Backfilled, BackfillCursor | undefined] = [sumsBefore, after];
      do ({ sums, next } = await backfillPart(pool, { actor, id, scope, isDryRun, after: next }, sums));
      while (next && performance.now() < until);
      return { sums: { ...sums, amounts: { ...sums.amounts } }, next: next ?? null };
    },
  }),

  switched('pause', pauseConnection),
  switched('resume', resumeConnection),
];
