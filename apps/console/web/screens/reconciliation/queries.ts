import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  ListedRowsReply,
  Measure,
  ReconciliationItem,
  ReconciliationsReply,
  ReplayInput,
} from '../../../src/contract/reconciliations.ts';
import type { Api } from '../../api/api.ts';

export const pathOf = (account: string): string => `/api/accounts/${account}/reconciliations`;
const pollMs = 1000;
const firstPage = 0;
const afterFirst = (param: number) => (param === firstPage ? undefined : param);

export const isComparing = ({ state }: ReconciliationItem): boolean => state === 'pending' || state === 'running';
const isWorking = (one: ReconciliationItem): boolean => isComparing(one) || one.replay?.state === 'running';

/** Polled while a list is worked on. */
export const reconciliationsQuery = (api: Api, account: string) =>
  infiniteQueryOptions({
    queryKey: ['reconciliations', account],
    queryFn: ({ signal, pageParam }) =>
      api.get<ReconciliationsReply>(pathOf(account), { before: afterFirst(pageParam) }, signal),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isWorking)) === true ? pollMs : false,
  });

export const reconciliationQuery = (api: Api, account: string, id: string) =>
  queryOptions({
    queryKey: ['reconciliation', account, id],
    queryFn: ({ signal }) => api.get<ReconciliationItem>(`${pathOf(account)}/${id}`, {}, signal),
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? pollMs : false),
  });

export const listedRowsQuery = (api: Api, account: string, { id, outcome }: { id: number; outcome: Measure }) =>
  infiniteQueryOptions({
    queryKey: ['reconciliation-rows', account, id, outcome],
    queryFn: ({ signal, pageParam }) =>
      api.get<ListedRowsReply>(`${pathOf(account)}/${id}/rows`, { outcome, after: afterFirst(pageParam) }, signal),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

export const startReplay = (api: Api, account: string, id: number, order: ReplayInput): Promise<object> =>
  api.post<object>(`${pathOf(account)}/${id}/replay`, order);
