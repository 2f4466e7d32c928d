import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { RetryDeliveriesReply } from '../../../src/contract/deliveries.ts';
import { useApi } from '../../api/use-api.ts';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { retryDeliveries } from './queries.ts';
import { deliveriesTexts } from './texts.ts';

/** Sends deliveries again, and says of those that it leaves why. */
export const useRetry = (): UseMutationResult<RetryDeliveriesReply, Error, readonly number[]> => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  return useMutation({
    mutationFn: (ids: readonly number[]) => retryDeliveries(api, account, ids),
    onSuccess: async ({ retried, left }) => {
      if (retried.length > 0) showToast(texts.retried(format.count(retried.length)));
      for (const why of new Set(left.map((one) => one.why))) showToast(texts.left[why]);
      const changed = ['deliveries', 'delivery', 'undelivered', 'overview'];
      await Promise.all(changed.map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
};
