import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeliveriesReply, ReadDeliveryReply, RetryDeliveriesReply } from '../../../src/contract/deliveries.ts';
import type { PreviewPayloadReply } from '../../../src/contract/payload.ts';
import type { Api } from '../../api/api.ts';
import type { DeliveriesSearch } from './search.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/deliveries`;

const firstPage = 0;

export const deliveriesQuery = (api: Api, account: string, search: DeliveriesSearch) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', account, search],
    queryFn: ({ signal, pageParam }) =>
      api.get<DeliveriesReply>(
        pathOf(account),
        { ...search, after: pageParam === firstPage ? undefined : pageParam },
        signal,
      ),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

export const deliveryQuery = (api: Api, account: string, delivery: string) =>
  queryOptions({
    queryKey: ['delivery', account, delivery],
    queryFn: ({ signal }) => api.get<ReadDeliveryReply>(`${pathOf(account)}/${delivery}`, {}, signal),
  });

/** What the platform would be told now. */
export const payloadQuery = (api: Api, account: string, delivery: number) =>
  queryOptions({
    queryKey: ['payload', account, delivery],
    queryFn: ({ signal }) => api.get<PreviewPayloadReply>(`${pathOf(account)}/${delivery}/payload`, {}, signal),
  });

export const retryDeliveries = (api: Api, account: string, ids: readonly number[]): Promise<RetryDeliveriesReply> =>
  api.post<RetryDeliveriesReply>(`${pathOf(account)}/retry`, { ids });
