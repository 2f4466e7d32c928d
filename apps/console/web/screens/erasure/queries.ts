import { queryOptions } from '@tanstack/react-query';
import type {
  AllowPersonReply,
  ConfirmErasureReply,
  CountErasureReply,
  ListErasuresReply,
  PersonToErase,
  StartedErasure,
} from '../../../src/contract/erasures.ts';
import type { Api } from '../../api/api.ts';

const pathOf = (account: string): string => `/api/accounts/${account}/erasures`;
const pollMs = 1000;

const isPending = ({ state }: StartedErasure): boolean => state === 'pending';

/** Polled while an erasure runs. */
export const erasuresQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['erasures', account],
    queryFn: ({ signal }) => api.get<ListErasuresReply>(pathOf(account), {}, signal),
    refetchInterval: ({ state }) => (state.data?.started.some(isPending) === true ? pollMs : false),
  });

export const countErasure = (api: Api, account: string, person: PersonToErase): Promise<CountErasureReply> =>
  api.post<CountErasureReply>(`${pathOf(account)}/count`, person);

export const startErasure = (api: Api, account: string, person: PersonToErase): Promise<StartedErasure> =>
  api.post<StartedErasure>(pathOf(account), person);

export const confirmErasure = (api: Api, account: string, id: string): Promise<ConfirmErasureReply> =>
  api.post<ConfirmErasureReply>(`${pathOf(account)}/${id}/confirmation`, {});

export const allowPerson = (api: Api, account: string, id: string): Promise<AllowPersonReply> =>
  api.post<AllowPersonReply>(`${pathOf(account)}/${id}/allowance`, {});
