import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Account } from '../../../src/contract/accounts.ts';
import type { Api } from '../../api/api.ts';
import { sessionQuery, useApi } from '../../api/use-api.ts';
import { accountsKey } from './queries.ts';

/** Changes an account, then loads the list and the accounts of the session again. */
export const useAccountAction = <Input>(
  act: (api: Api, input: Input) => Promise<Account>,
  onDone: (account: Account) => void,
): UseMutationResult<Account, Error, Input> => {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => act(api, input),
    onSuccess: async (account) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: accountsKey }),
        client.fetchQuery({ ...sessionQuery(api), staleTime: 0 }),
      ]);
      onDone(account);
    },
  });
};
