import { nothing } from '@leadback/server/http';
import { connectPage, connectSource } from '@leadback/core/sources/connect';
import type { SourceKind as Kind } from '@leadback/core/sources/kind';
import { kindNamed, sourceKinds } from '@leadback/core/sources/kinds/index';
import { sourceReasons } from '@leadback/core/sources/reasons';
import { readSourceSample } from '@leadback/core/sources/sample';
import {
  changeSource,
  createSource,
  deleteSource,
  findListedSource,
  findStoredSource,
  type ListedEvent,
  type ListedSource,
  listSourceEvents,
  listSources,
  pauseSource,
  readSourceContent,
  renewSourceUrl,
  replaySource,
  resumeSource,
  rotateSourceSecret,
  shareWithClick,
  sourcePage,
  sourceUrl,
} from '@leadback/core/sources/sources';
import type { AccountScope } from '@leadback/core/people/access';
import type { Session } from '@leadback/core/people/sessions';
import type { ConsoleContext } from '../context.ts';
import {
  changeSourceInput,
  connectedInput,
  connectedReply,
  connectPageReply,
  createdSourceReply,
  createSourceInput,
  deletedSourceReply,
  renewedUrlReply,
  replayedReply,
  rotatedSourceReply,
  type Source,
  type SourceEvent,
  sourceEventsInput,
  sourceEventsReply,
  type SourceKind,
  sourceKindsReply,
  type SourceReply,
  sourceReply,
  sourceSampleReply,
  sourcesReply,
  switchedSourceReply,
} from '../contract/sources.ts';
import { type DataFor, dataFor, mayDo } from '../sessions/authenticate.ts';
import { naming, ofAccount, ofId } from './guard.ts';

// a map is chosen from a message that has come
const mapName = 'map';

const describeKind = (kind: Kind, { apiUrl }: Pick<ConsoleContext, 'apiUrl'>): SourceKind => {
  const { name, title, texts, fields, newSecret, query } = kind;
  const textIn = (language: keyof typeof texts) => {
    const { help, steps, test, clicks } = texts[language];
    return { help, steps: [...steps], test, clicks };
  };
  return {
    name,
    title,
    texts: { en: textIn('en'), es: textIn('es'), pt: textIn('pt') },
    page: sourcePage(apiUrl, kind),
    fields: fields
      .filter((one) => one.name !== mapName)
      .map((one) => ({
        name: one.name,
        texts: one.texts,
        isRequired: one.isRequired && !(one.name === 'secret' && newSecret !== undefined),
        isSecret: one.isSecret,
        isFile: one.isFile,
        choices: [...one.choices],
        standard: null,
        onlyWith: one.onlyWith ?? null,
      })),
    makesSecret: newSecret !== undefined,
    hasMap: fields.some((one) => one.name === mapName),
    connects: kind.connects,
    query: query ?? null,
  };
};

const describeSource = ({ createdAt, lastEventAt, refusedAt, ...same }: ListedSource): Source => ({
  ...same,
  title: kindNamed(same.kind)?.title ?? same.kind,
  createdAt: createdAt.toISOString(),
  lastEventAt: lastEventAt?.toISOString() ?? null,
  refusedAt: refusedAt?.toISOString() ?? null,
  shareWithClick: shareWithClick(same),
});

const isReason = (reason: string): reason is keyof typeof sourceReasons => Object.hasOwn(sourceReasons, reason);

const reasonOf = (reason: string | null): SourceEvent['reason'] => {
  if (reason === null) return null;
  return isReason(reason) ? sourceReasons[reason] : { en: reason, es: reason, pt: reason };
};

const describeEvent = ({ at, order, reason, message, ...same }: ListedEvent, data: DataFor): SourceEvent => ({
  ...same,
  at: at.toISOString(),
  order: data.reference(order),
  reason: reasonOf(reason),
  message: data.message(message),
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Asked {
  readonly scope: AccountScope;
  readonly session: Session;
}

const readSource = async (
  { pool, secretsKeys, apiUrl }: ConsoleContext,
  { scope, session }: Asked,
  id: number,
): Promise<SourceReply> => {
  const source = await findListedSource(pool, { id, scope });
  const { settings, encrypted } = await readSourceContent(pool, secretsKeys, { id, scope });
  const { [mapName]: map, ...texts } = settings;
  return {
    source: describeSource(source),
    url: encrypted && mayDo(session.person.role, 'manage-connections') ? sourceUrl(apiUrl, encrypted.path) : null,
    settings: Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)])),
    map: isRecord(map) ? map : null,
    secrets: encrypted ? [...encrypted.secrets] : null,
    earlierUntil: encrypted?.earlierUntil ?? null,
  };
};

const switched = (verb: 'pause' | 'resume', act: typeof pauseSource) =>
  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: `/accounts/:account/sources/:id/${verb}`,
    input: ofId,
    reply: switchedSourceReply,
    handle: async ({ input: { id }, scope, actor }, { pool }) => ({
      waiting: (await act(pool, { actor, id, scope })).waiting,
    }),
  });

export const sourceEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/sources',
    input: nothing,
    reply: sourcesReply,
    handle: async ({ scope: { accountId } }, { pool }) => ({
      items: (await listSources(pool, accountId)).map(describeSource),
    }),
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources',
    input: createSourceInput,
    reply: createdSourceReply,
    status: 201,
    handle: ({ input, scope: { accountId }, actor }, { pool, secretsKeys, apiUrl }) =>
      naming(async () => {
        const { id, path, secret } = await createSource(pool, secretsKeys, { actor, accountId, ...input });
        return { id, url: sourceUrl(apiUrl, path), secret: secret ?? null };
      }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/sources/kinds',
    input: nothing,
    reply: sourceKindsReply,
    handle: async (_asked, context) => ({ items: sourceKinds.map((kind) => describeKind(kind, context)) }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/sources/:id',
    input: ofId,
    reply: sourceReply,
    handle: ({ input: { id }, ...asked }, context) => readSource(context, asked, id),
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources/:id/change',
    input: changeSourceInput.extend(ofId.shape),
    reply: sourceReply,
    handle: ({ input: { id, label, content }, actor, ...asked }, context) =>
      naming(async () => {
        const { scope } = asked;
        await changeSource(context.pool, context.secretsKeys, { actor, id, scope, label, content });
        return readSource(context, asked, id);
      }),
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources/:id/secret',
    input: ofId,
    reply: rotatedSourceReply,
    async handle({ input: { id }, scope, actor }, { pool, secretsKeys }) {
      const { secret, earlierUntil } = await rotateSourceSecret(pool, secretsKeys, { actor, id, scope });
      return { secret, earlierUntil: earlierUntil.toISOString() };
    },
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources/:id/url',
    input: ofId,
    reply: renewedUrlReply,
    async handle({ input: { id }, scope, actor }, { pool, secretsKeys, apiUrl }) {
      const { path, earlierUntil } = await renewSourceUrl(pool, secretsKeys, { actor, id, scope });
      return { url: sourceUrl(apiUrl, path), earlierUntil: earlierUntil.toISOString() };
    },
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources/:id/connect',
    input: ofId,
    reply: connectPageReply,
    handle: async ({ input: { id }, scope, session }, context) => ({
      page: await connectPage(context.pool, context, { id, scope, personId: session.person.id }),
    }),
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources/:id/connected',
    input: connectedInput.extend(ofId.shape),
    reply: connectedReply,
    async handle({ input, scope, session, actor }, context) {
      const asked = { ...input, actor, scope, personId: session.person.id };
      const { outcome, unsent = [] } = { unsent: undefined, ...(await connectSource(context.pool, context, asked)) };
      return { outcome, unsent: [...unsent] };
    },
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources/:id/delete',
    input: ofId,
    reply: deletedSourceReply,
    async handle({ input: { id }, scope, actor }, { pool, secretsKeys }) {
      await deleteSource(pool, secretsKeys, { actor, id, scope });
      return { id };
    },
  }),

  ofAccount('manage-connections', 'fresh', {
    method: 'post',
    path: '/accounts/:account/sources/:id/replay',
    input: ofId,
    reply: replayedReply,
    handle: async ({ input: { id }, scope, actor }, { pool }) => ({
      events: await replaySource(pool, { actor, id, scope }),
    }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/sources/:id/events',
    input: sourceEventsInput.extend(ofId.shape),
    reply: sourceEventsReply,
    async handle({ input: { id, before, limit }, scope, session }, { pool }) {
      const source = await findStoredSource(pool, { id, scope });
      const found = await listSourceEvents(pool, source, { limit: limit + 1, before });
      const items = found.slice(0, limit).map((event) => describeEvent(event, dataFor(session)));
      return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
    },
  }),

  ofAccount('manage-connections', 'reads', {
    method: 'get',
    path: '/accounts/:account/sources/:id/sample',
    input: ofId,
    reply: sourceSampleReply,
    async handle({ input: { id }, scope }, { pool, contacts }) {
      const sample = await readSourceSample(pool, contacts, { id, scope });
      return { at: sample?.at.toISOString() ?? null, fields: [...(sample?.fields ?? [])] };
    },
  }),

  switched('pause', pauseSource),
  switched('resume', resumeSource),
];
