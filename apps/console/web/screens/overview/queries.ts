import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OverviewInput, OverviewReply } from '../../../src/contract/overview.ts';
import type { Api } from '../../api.ts';

type Question = Omit<OverviewInput, 'account'>;

export const overviewQuery = (api: Api, account: string, { from, to, by, page, campaign }: Question) =>
  queryOptions({
    queryKey: ['overview', account, { from, to, by, page, campaign }],
    queryFn: ({ signal }) =>
      api.get<OverviewReply>(`/api/accounts/${account}/overview`, { from, to, by, page, campaign }, signal),
    placeholderData: keepPreviousData,
  });
