import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangeWebhookInput, Webhook } from '../../../src/contract/webhooks.ts';
import { useApi } from '../../api/use-api.ts';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { changeWebhook, webhookQuery, webhooksQuery } from './queries.ts';

/** Changes, pauses or resumes a webhook, and says `done`. */
export const useChange = (id: number, done: string): UseMutationResult<Webhook, Error, ChangeWebhookInput> => {
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  return useMutation({
    mutationFn: (changes: ChangeWebhookInput) => changeWebhook(api, account, { id, ...changes }),
    onSuccess: (webhook) => {
      showToast(done);
      client.setQueryData(webhookQuery(api, account, String(id)).queryKey, webhook);
      return client.invalidateQueries({ queryKey: webhooksQuery(api, account).queryKey });
    },
  });
};
