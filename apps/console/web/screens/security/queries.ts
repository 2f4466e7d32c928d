import { queryOptions } from '@tanstack/react-query';
import type { ChangePasswordInput, SecurityReply } from '../../../src/contract/security.ts';
import type { Api } from '../../api/api.ts';

export const securityQuery = (api: Api) =>
  queryOptions({
    queryKey: ['security'],
    queryFn: ({ signal }) => api.get<SecurityReply>('/api/security', {}, signal),
  });

export const renamePasskey = (api: Api, id: number, name: string) =>
  api.post<object>('/api/security/passkeys/rename', { id, name });

export const removePasskey = (api: Api, id: number) => api.post<object>('/api/security/passkeys/remove', { id });

/** Without an id: all but this one. */
export const endSessions = (api: Api, id: number | undefined) => api.post<object>('/api/security/sessions/end', { id });

export const changePassword = (api: Api, input: ChangePasswordInput) =>
  api.post<object>('/api/security/password', input);
