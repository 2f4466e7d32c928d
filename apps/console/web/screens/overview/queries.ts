import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ParsedLocation } from '@tanstack/react-router';
import type { OverviewInput, OverviewReply } from '../../../src/contract/results.ts';
import type { Api } from '../../api.ts';
import { daysOf } from '../../range/range.ts';
import { filterOf, parseOverviewSearch } from '../../search.ts';
import { expectedTimeZone } from '../../shell/use-account.ts';

type Question = Omit<OverviewInput, 'account'>;

export const overviewQuery = (api: Api, account: string, { from, to, by, page, ...clicks }: Question) =>
  queryOptions({
    queryKey: ['overview', account, { from, to, by, page, ...clicks }],
    queryFn: ({ signal }) =>
      api.get<OverviewReply>(`/api/accounts/${account}/overview`, { from, to, by, page, ...clicks }, signal),
    placeholderData: keepPreviousData,
  });

const overviewPath = /^\/a\/([^/]+)\/overview$/;

/**
 * Starts the requests of the Overview, which is what people open first, while the session is on its way: on a slow
 * network each request that waits for another is seen. Its parts find them in the cache.
 */
export const startFirstRequests = ({ pathname, search }: ParsedLocation, api: Api, client: QueryClient): void => {
  const account = overviewPath.exec(pathname)?.[1];
  if (account === undefined) return;
  const parsed = parseOverviewSearch(search);
  const { by = 'page', page } = parsed;
  for (const each of new Set(['day', by] as const)) {
    void client.prefetchQuery(
      overviewQuery(api, account, { ...daysOf(parsed, expectedTimeZone()), by: each, page, ...filterOf(parsed) }),
    );
  }
};
