import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Account,
  AccountSettingsInput,
  ListAccountsReply,
  SuspendAccountInput,
} from '../../../src/contract/accounts.ts';
import type { Api } from '../../api/api.ts';

const path = '/api/accounts';
export const accountsKey = ['accounts'] as const;

export const accountsQuery = (api: Api, find: string | undefined) =>
  queryOptions({
    queryKey: [...accountsKey, find],
    queryFn: ({ signal }) => api.get<ListAccountsReply>(path, { find }, signal),
    placeholderData: keepPreviousData,
  });

export const createAccount = (api: Api, input: AccountSettingsInput): Promise<Account> =>
  api.post<Account>(path, input);

export const changeAccount = (api: Api, id: number, input: AccountSettingsInput): Promise<Account> =>
  api.post<Account>(`${path}/${id}/settings`, input);

export const suspendAccount = (api: Api, id: number, input: SuspendAccountInput): Promise<Account> =>
  api.post<Account>(`${path}/${id}/suspend`, input);

export const activateAccount = (api: Api, id: number): Promise<Account> =>
  api.post<Account>(`${path}/${id}/activate`, {});
