import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  ChangeAccessInput,
  InvitationReply,
  InvitePersonInput,
  ListPeopleReply,
  SignOutPersonReply,
} from '../../../src/contract/people.ts';
import type { Api } from '../../api/api.ts';

const path = '/api/people';
export const peopleKey = ['people'] as const;

export const peopleQuery = (api: Api, find: string | undefined) =>
  queryOptions({
    queryKey: [...peopleKey, find],
    queryFn: ({ signal }) => api.get<ListPeopleReply>(path, { find }, signal),
    placeholderData: keepPreviousData,
  });

export const invitePerson = (api: Api, input: InvitePersonInput): Promise<InvitationReply> =>
  api.post<InvitationReply>(path, input);

export const inviteAgain = (api: Api, id: number): Promise<InvitationReply> =>
  api.post<InvitationReply>(`${path}/${id}/invite`, {});

export const changeAccess = (api: Api, id: number, input: ChangeAccessInput): Promise<unknown> =>
  api.post(`${path}/${id}/access`, input);

export const disablePerson = (api: Api, id: number): Promise<unknown> => api.post(`${path}/${id}/disable`, {});

export const signOutPerson = (api: Api, id: number): Promise<SignOutPersonReply> =>
  api.post<SignOutPersonReply>(`${path}/${id}/sign-out`, {});
