import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type {
  ChangeSourceInput,
  ConnectedInput,
  ConnectedReply,
  ConnectPageReply,
  CreatedSourceReply,
  CreateSourceInput,
  RenewedUrlReply,
  ReplayedReply,
  RotatedSourceReply,
  Source,
  SourceEventsReply,
  SourceKindsReply,
  SourceReply,
  SourceSampleReply,
  SourcesReply,
  SwitchedSourceReply,
} from '../../../src/contract/sources.ts';
import type { Api } from '../../api.ts';
import { pagesQuery } from '../../parts/pages.tsx';
import type { Tone } from '../../parts/values.tsx';

const listPath = (account: string): string => `/api/accounts/${account}/sources`;
const pathOf = (account: string, source: string): string => `${listPath(account)}/${source}`;

// somebody looks, and waits for what the other side sends
const pollMs = 3_000;

export const sourcesQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['sources', account],
    queryFn: ({ signal }) => api.get<SourcesReply>(listPath(account), {}, signal),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ lastEventAt }) => lastEventAt === null) === true && pollMs,
  });

/** It changes only with a new version of the console. */
export const kindsQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['source-kinds'],
    queryFn: ({ signal }) => api.get<SourceKindsReply>(`${listPath(account)}/kinds`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const sourceQuery = (api: Api, account: string, source: string) =>
  queryOptions({
    queryKey: ['sources', account, source],
    queryFn: ({ signal }) => api.get<SourceReply>(pathOf(account, source), {}, signal),
    refetchInterval: pollMs,
  });

/** Read again whenever one was received, or was worked on. */
export const eventsQuery = (api: Api, account: string, { id, received, waiting, failed, withoutClick }: Source) =>
  pagesQuery<SourceEventsReply>(api, {
    key: ['source-events', account, id, received, waiting, failed, withoutClick],
    path: `${pathOf(account, String(id))}/events`,
    cursor: 'before',
  });

export const sampleQuery = (api: Api, account: string, { id, received }: Source) =>
  queryOptions({
    queryKey: ['source-sample', account, id, received],
    queryFn: ({ signal }) => api.get<SourceSampleReply>(`${pathOf(account, String(id))}/sample`, {}, signal),
    placeholderData: (before) => before,
  });

export const createSource = (api: Api, account: string, input: CreateSourceInput): Promise<CreatedSourceReply> =>
  api.post<CreatedSourceReply>(listPath(account), input);

export const changeSource = (api: Api, account: string, id: number, input: ChangeSourceInput): Promise<SourceReply> =>
  api.post<SourceReply>(`${pathOf(account, String(id))}/change`, input);

export const rotateSecret = (api: Api, account: string, id: number): Promise<RotatedSourceReply> =>
  api.post<RotatedSourceReply>(`${pathOf(account, String(id))}/secret`, {});

export const renewUrl = (api: Api, account: string, id: number): Promise<RenewedUrlReply> =>
  api.post<RenewedUrlReply>(`${pathOf(account, String(id))}/url`, {});

export const connectPage = (api: Api, account: string, id: number): Promise<ConnectPageReply> =>
  api.post<ConnectPageReply>(`${pathOf(account, String(id))}/connect`, {});

export const connectSource = (api: Api, account: string, id: number, input: ConnectedInput): Promise<ConnectedReply> =>
  api.post<ConnectedReply>(`${pathOf(account, String(id))}/connected`, input);

export const switchSource = (
  api: Api,
  account: string,
  id: number,
  verb: 'pause' | 'resume',
): Promise<SwitchedSourceReply> => api.post<SwitchedSourceReply>(`${pathOf(account, String(id))}/${verb}`, {});

export const replaySource = (api: Api, account: string, id: number): Promise<ReplayedReply> =>
  api.post<ReplayedReply>(`${pathOf(account, String(id))}/replay`, {});

export const deleteSource = (api: Api, account: string, id: number): Promise<unknown> =>
  api.post(`${pathOf(account, String(id))}/delete`, {});

/** Reads again what a change of a source changes. */
export const useSourcesChanged = (): (() => Promise<unknown>) => {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['sources'] });
};

/** first: it waits for the first message. silent: nothing came for 30 days. unsigned: all that came last had a wrong signature. */
export type SourceHealth = 'active' | 'first' | 'silent' | 'paused' | 'refused' | 'unsigned';

export const sourceTones: Readonly<Record<SourceHealth, Tone>> = {
  active: 'good',
  first: 'accent',
  silent: 'warn',
  paused: 'plain',
  refused: 'bad',
  unsigned: 'bad',
};

const keptMs = 30 * 86_400_000;

export const sourceHealthOf = ({ state, isRefused, lastEventAt, createdAt }: Source): SourceHealth => {
  if (state === 'needs_attention') return 'refused';
  if (isRefused) return 'unsigned';
  if (state === 'paused') return 'paused';
  if (lastEventAt !== null) return 'active';
  return Date.now() - Date.parse(createdAt) < keptMs ? 'first' : 'silent';
};

/** What a source is called; its kind stands beside it unless it is its name. */
export const sourceName = ({ title, label }: Pick<Source, 'title' | 'label'>): string =>
  title === label ? title : `${title} · ${label}`;
