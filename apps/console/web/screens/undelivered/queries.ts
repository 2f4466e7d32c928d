import { queryOptions } from '@tanstack/react-query';
import type {
  AttentionReply,
  CountRetryReply,
  RetryFilter,
  Task,
  UndeliveredReply,
} from '../../../src/contract/undelivered.ts';
import type { Api } from '../../api.ts';

const pathOf = (account: string): string => `/api/accounts/${account}`;
const minuteMs = 60_000;
const pollMs = 1000;

export const undeliveredQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['undelivered', account],
    queryFn: ({ signal }) => api.get<UndeliveredReply>(`${pathOf(account)}/undelivered`, {}, signal),
    staleTime: minuteMs,
  });

/** What waits for a person: asked again and again, because a platform may reject a connection at any time. */
export const attentionQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['attention', account],
    queryFn: ({ signal }) => api.get<AttentionReply>(`${pathOf(account)}/attention`, {}, signal),
    staleTime: minuteMs / 2,
    refetchInterval: minuteMs,
  });

const pollPendingMs = 5000;
const isRunning = ({ state }: Task): boolean => state === 'running';
const isOpen = ({ outcome }: Task): boolean => outcome.pending > 0;

/** Polled while a task runs, and until what it sent again has ended. */
export const tasksQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['tasks', account],
    queryFn: ({ signal }) => api.get<{ readonly items: readonly Task[] }>(`${pathOf(account)}/tasks`, {}, signal),
    refetchInterval: ({ state: { data } }) => {
      if (data?.items.some(isRunning) === true) return pollMs;
      return data?.items.some(isOpen) === true ? pollPendingMs : false;
    },
  });

/** What a retry would send again now. */
export const retryCountQuery = (api: Api, account: string, filter: RetryFilter) =>
  queryOptions({
    queryKey: ['retry-count', account, filter],
    queryFn: () => api.post<CountRetryReply>(`${pathOf(account)}/undelivered/count`, filter),
    gcTime: 0,
  });

export const startRetry = (api: Api, account: string, filter: RetryFilter): Promise<Task> =>
  api.post<Task>(`${pathOf(account)}/undelivered/retry`, filter);
