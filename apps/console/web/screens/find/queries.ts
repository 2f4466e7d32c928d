import { queryOptions } from '@tanstack/react-query';
import type { FindReply, StoryReply } from '../../../src/contract/find.ts';
import type { Api } from '../../api.ts';
import type { FindSearch } from '../../search.ts';

const pathOf = (account: string): string => `/api/accounts/${account}`;

export const find = (api: Api, account: string, text: string): Promise<FindReply> =>
  api.post<FindReply>(`${pathOf(account)}/find`, { text });

export const storyQuery = (api: Api, account: string, { lead, client, conversion }: FindSearch) =>
  queryOptions({
    queryKey: ['story', account, lead, client, conversion],
    queryFn: ({ signal }) => api.get<StoryReply>(`${pathOf(account)}/story`, { lead, client, conversion }, signal),
  });
