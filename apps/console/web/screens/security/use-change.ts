import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '../../api/api.ts';
import { sessionQuery, useApi } from '../../api/use-api.ts';
import { showToast } from '../../parts/toast.tsx';
import { securityQuery } from './queries.ts';

interface Change<Input, Result> {
  readonly change: (api: Api, input: Input) => Promise<Result>;
  /** What the person reads when it is done. */
  readonly done: (result: Result, input: Input) => string;
  readonly onDone?: () => void;
}

/** A change of the own sign-in, after which the page shows what is now. */
export const useChange = <Input = void, Result = object>({
  change,
  done,
  onDone,
}: Change<Input, Result>): UseMutationResult<Result, Error, Input> => {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(api, input),
    onSuccess: async (result, input) => {
      showToast(done(result, input));
      onDone?.();
      const queries = [securityQuery(api), sessionQuery(api)];
      await Promise.all(queries.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    },
  });
};
