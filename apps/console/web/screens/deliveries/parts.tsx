import {
  type InfiniteData,
  queryOptions,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type {
  DeliveriesReply,
  Delivery,
  PreviewPayloadReply,
  ReadDeliveryReply,
  RetryDeliveriesReply,
} from '../../../src/contract/deliveries.ts';
import { type Api, useApi } from '../../api.ts';
import { showToast } from '../../parts/notices.tsx';
import { pagesQuery } from '../../parts/pages.tsx';
import { Badge, deliveryTones } from '../../parts/values.tsx';
import type { DeliveriesSearch } from '../../search.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { deliveriesTexts } from './texts.ts';

/** The partner's id of the event, else ours. */
export const referenceOf = ({ id, externalReference, conversionId }: Delivery): string =>
  externalReference ?? String(conversionId ?? `#${id}`);

/** What was delivered, as the partner calls it: `Conversion order-1001`. */
export const useDeliveryName = (): ((delivery: Delivery) => string) => {
  const texts = useTexts(deliveriesTexts);
  return (delivery) => `${texts.events[delivery.event]} ${referenceOf(delivery)}`;
};

const pathOf = (account: string): string => `/api/accounts/${account}/deliveries`;

const deliveriesQuery = (api: Api, account: string, search: DeliveriesSearch) =>
  pagesQuery<DeliveriesReply>(api, {
    key: ['deliveries', account, search],
    path: pathOf(account),
    query: { ...search },
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

const retryDeliveries = (api: Api, account: string, ids: readonly number[]): Promise<RetryDeliveriesReply> =>
  api.post<RetryDeliveriesReply>(`${pathOf(account)}/retry`, { ids });

const route = getRouteApi('/signed-in/a/$account/deliveries');

export const useDeliveries = (): UseInfiniteQueryResult<InfiniteData<DeliveriesReply>> =>
  useInfiniteQuery(deliveriesQuery(useApi(), useAccountId(), route.useSearch()));

/** Sends deliveries again, and says of those that it leaves why. */
export const useRetry = (): UseMutationResult<RetryDeliveriesReply, Error, readonly number[]> => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  return useMutation({
    mutationFn: (ids: readonly number[]) => retryDeliveries(api, account, ids),
    onSuccess: async ({ retried, left }) => {
      if (retried.length > 0) showToast(texts.retried(format.count(retried.length)));
      for (const why of new Set(left.map((one) => one.why))) showToast(texts.left[why]);
      const changed = ['deliveries', 'delivery', 'undelivered', 'overview'];
      await Promise.all(changed.map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
};

/** Of one that waits for a person, also why; of one that is delivered, whether the platform says that it has used it. */
export const StateBadge = ({
  delivery,
}: {
  readonly delivery: Pick<Delivery, 'state' | 'connectionState' | 'isConfirmed'>;
}) => {
  const texts = useTexts(deliveriesTexts);
  const { state, connectionState, isConfirmed } = delivery;
  if (state === 'pending' && connectionState !== 'active') {
    return <Badge tone={connectionState === 'paused' ? 'warn' : 'bad'}>{texts.waits[connectionState]}</Badge>;
  }
  const isUsed = state === 'delivered' && isConfirmed === true;
  return <Badge tone={deliveryTones[state]}>{isUsed ? texts.used : texts.states[state]}</Badge>;
};
