import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  WebhookDeliveriesReply,
  WebhookDelivery,
  WebhookSentReply,
} from '../../../src/contract/webhook-deliveries.ts';
import type {
  ChangeWebhookInput,
  CreateWebhookInput,
  CreateWebhookReply,
  ListWebhooksReply,
  RotateSecretReply,
  Webhook,
} from '../../../src/contract/webhooks.ts';
import type { Api } from '../../api/api.ts';
import type { LogSearch } from './search.ts';

const listPath = (account: string): string => `/api/accounts/${account}/webhooks`;
const pathOf = (account: string, webhook: string): string => `${listPath(account)}/${webhook}`;
const pollMs = 1000;
const firstPage = 0;

export const webhooksQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['webhooks', account],
    queryFn: ({ signal }) => api.get<ListWebhooksReply>(listPath(account), {}, signal),
  });

export const webhookQuery = (api: Api, account: string, webhook: string) =>
  queryOptions({
    queryKey: ['webhook', account, webhook],
    queryFn: ({ signal }) => api.get<Webhook>(pathOf(account, webhook), {}, signal),
  });

export const logQuery = (api: Api, account: string, webhook: string, search: LogSearch) =>
  infiniteQueryOptions({
    queryKey: ['webhook-log', account, webhook, search],
    queryFn: ({ signal, pageParam }) =>
      api.get<WebhookDeliveriesReply>(
        `${pathOf(account, webhook)}/deliveries`,
        { ...search, after: pageParam === firstPage ? undefined : pageParam },
        signal,
      ),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

/** Whether a response will soon be known. */
export const isBeingSent = ({ state, attempts }: WebhookDelivery): boolean =>
  state === 'pending' && (attempts.length === 0 || attempts.at(-1)?.outcome === 'requeued');

// a test that is sent again is due within ten seconds
const soonMs = 60_000;

/** Whether a response may come while somebody looks. */
const isDueSoon = (delivery: WebhookDelivery): boolean =>
  isBeingSent(delivery) ||
  (delivery.state === 'pending' &&
    delivery.nextAttemptAt !== null &&
    Date.parse(delivery.nextAttemptAt) - Date.now() < soonMs);

/** One delivery; null: the log no longer has it. Polled while a response may come soon. */
export const webhookDeliveryQuery = (api: Api, account: string, webhook: string, delivery: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', account, webhook, delivery],
    queryFn: async ({ signal }): Promise<WebhookDelivery | null> => {
      const page = { after: Number(delivery) + 1, limit: 1 };
      const { items } = await api.get<WebhookDeliveriesReply>(`${pathOf(account, webhook)}/deliveries`, page, signal);
      return items.find(({ id }) => String(id) === delivery) ?? null;
    },
    refetchInterval: ({ state: { data } }) => (data && isDueSoon(data) ? pollMs : false),
  });

export const createWebhook = (api: Api, account: string, given: CreateWebhookInput): Promise<CreateWebhookReply> =>
  api.post<CreateWebhookReply>(listPath(account), given);

export const changeWebhook = (
  api: Api,
  account: string,
  { id, ...changes }: ChangeWebhookInput & { readonly id: number },
): Promise<Webhook> => api.post<Webhook>(pathOf(account, String(id)), changes);

export const rotateSecret = (api: Api, account: string, webhook: string): Promise<RotateSecretReply> =>
  api.post<RotateSecretReply>(`${pathOf(account, webhook)}/secret`, {});

export const deleteWebhook = (api: Api, account: string, webhook: string): Promise<unknown> =>
  api.post(`${pathOf(account, webhook)}/delete`, {});

export const testWebhook = (api: Api, account: string, webhook: string): Promise<WebhookSentReply> =>
  api.post<WebhookSentReply>(`${pathOf(account, webhook)}/test`, {});

export const retryWebhookDelivery = (
  api: Api,
  account: string,
  webhook: string,
  deliveryId: number,
): Promise<WebhookSentReply> => api.post<WebhookSentReply>(`${pathOf(account, webhook)}/retry`, { deliveryId });
