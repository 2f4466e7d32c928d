import { queryOptions } from '@tanstack/react-query';
import type { ApiKey, IssueKeyInput, IssueKeyReply, ListKeysReply } from '../../../src/contract/keys.ts';
import type { Api } from '../../api/api.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/keys`;

export const keysQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['keys', account],
    queryFn: ({ signal }) => api.get<ListKeysReply>(pathOf(account), {}, signal),
  });

export const issueKey = (api: Api, account: string, input: IssueKeyInput): Promise<IssueKeyReply> =>
  api.post<IssueKeyReply>(pathOf(account), input);

export const revokeKey = (api: Api, account: string, id: number): Promise<ApiKey> =>
  api.post<ApiKey>(`${pathOf(account)}/${id}/revoke`, {});
