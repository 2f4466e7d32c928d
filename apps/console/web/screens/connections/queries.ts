import { queryOptions } from '@tanstack/react-query';
import type {
  ChangeConnectionInput,
  CheckReply,
  ConnectionReply,
  ConnectionsReply,
  CreatedReply,
  NewConnectionInput,
  PlatformsReply,
  SwitchedReply,
} from '../../../src/contract/connections.ts';
import type { Api } from '../../api/api.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/connections`;

export const connectionsQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['connections', account],
    queryFn: ({ signal }) => api.get<ConnectionsReply>(pathOf(account), {}, signal),
  });

export const connectionQuery = (api: Api, account: string, id: string) =>
  queryOptions({
    queryKey: ['connections', account, id],
    queryFn: ({ signal }) => api.get<ConnectionReply>(`${pathOf(account)}/${id}`, {}, signal),
  });

/** It changes only with a new version of the console. */
export const platformsQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['platforms'],
    queryFn: ({ signal }) => api.get<PlatformsReply>(`${pathOf(account)}/platforms`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const checkNew = (api: Api, account: string, input: NewConnectionInput): Promise<CheckReply> =>
  api.post<CheckReply>(`${pathOf(account)}/check`, input);

export const createConnection = (api: Api, account: string, input: NewConnectionInput): Promise<CreatedReply> =>
  api.post<CreatedReply>(pathOf(account), input);

export const changeConnection = (
  api: Api,
  account: string,
  id: string,
  input: ChangeConnectionInput,
): Promise<ConnectionReply> => api.post<ConnectionReply>(`${pathOf(account)}/${id}/change`, input);

export const checkConnection = (api: Api, account: string, id: string): Promise<CheckReply> =>
  api.post<CheckReply>(`${pathOf(account)}/${id}/check`, {});

export const switchConnection = (
  api: Api,
  account: string,
  id: string,
  verb: 'pause' | 'resume',
): Promise<SwitchedReply> => api.post<SwitchedReply>(`${pathOf(account)}/${id}/${verb}`, {});
