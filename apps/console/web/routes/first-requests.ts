import type { ParsedLocation } from '@tanstack/react-router';
import { daysOf } from '../range/range.ts';
import { overviewQuery } from '../screens/overview/queries.ts';
import { parseOverviewSearch } from '../search.ts';
import type { RouterContext } from './router-context.ts';

const overviewPath = /^\/a\/([^/]+)\/overview$/;

/**
 * Starts the requests of the Overview, which is what people open first, while the session is on its way: on a slow
 * network each request that waits for another is seen. Its parts find them in the cache.
 */
export const startFirstRequests = ({ pathname, search }: ParsedLocation, { api, client }: RouterContext): void => {
  const account = overviewPath.exec(pathname)?.[1];
  if (account === undefined) return;
  const parsed = parseOverviewSearch(search);
  const { by = 'page', page, campaign } = parsed;
  for (const each of new Set(['day', by] as const)) {
    void client.prefetchQuery(overviewQuery(api, account, { ...daysOf(parsed), by: each, page, campaign }));
  }
};
