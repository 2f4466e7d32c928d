import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { DeliveriesReply, Delivery } from '../../../src/contract/deliveries.ts';
import { useApi } from '../../api/use-api.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { deliveriesQuery } from './queries.ts';

const route = getRouteApi('/signed-in/a/$account/deliveries');

export const useDeliveries = (): UseInfiniteQueryResult<InfiniteData<DeliveriesReply>> =>
  useInfiniteQuery(deliveriesQuery(useApi(), useAccountId(), route.useSearch()));

export const itemsOf = ({ pages }: InfiniteData<DeliveriesReply>): readonly Delivery[] =>
  pages.flatMap(({ items }) => items);
