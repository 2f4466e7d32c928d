import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { WebhookDeliveriesReply, WebhookDelivery } from '../../../src/contract/webhook-deliveries.ts';
import { useApi } from '../../api/use-api.ts';
import { logQuery } from './queries.ts';

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook');

/** The log of the webhook in the URL. */
export const useLog = (): UseInfiniteQueryResult<InfiniteData<WebhookDeliveriesReply>> => {
  const { account, webhook } = route.useParams();
  return useInfiniteQuery(logQuery(useApi(), account, webhook, route.useSearch()));
};

export const itemsOf = ({ pages }: InfiniteData<WebhookDeliveriesReply>): readonly WebhookDelivery[] =>
  pages.flatMap(({ items }) => items);
