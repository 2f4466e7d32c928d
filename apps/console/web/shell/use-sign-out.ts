import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sessionQuery, useApi } from '../api/use-api.ts';

export const useSignOut = (): (() => Promise<void>) => {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const session = await api.postSession('/api/session/sign-out', {});
    await navigate({ to: '/sign-in' });
    // nothing that this person saw stays in memory
    client.clear();
    client.setQueryData(sessionQuery(api).queryKey, session);
  };
};
