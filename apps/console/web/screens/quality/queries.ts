import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QualityReply } from '../../../src/contract/quality.ts';
import type { Api } from '../../api/api.ts';
import type { DayRange } from '../../range/days.ts';

export const qualityQuery = (api: Api, account: string, { from, to }: DayRange) =>
  queryOptions({
    queryKey: ['quality', account, { from, to }],
    queryFn: ({ signal }) => api.get<QualityReply>(`/api/accounts/${account}/quality`, { from, to }, signal),
    placeholderData: keepPreviousData,
  });
