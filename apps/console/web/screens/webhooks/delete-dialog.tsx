import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '../../../src/contract/webhooks.ts';
import { useApi } from '../../api/use-api.ts';
import { showToast } from '../../parts/toast.tsx';
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { deleteWebhook, webhooksQuery } from './queries.ts';
import { webhooksTexts } from './texts.ts';
import { hostOf } from './webhook-url.tsx';

interface DeleteDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export const DeleteDialog = ({ webhook: { id, url }, onClose }: DeleteDialogProps) => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = useAccountId();
  const remove = useMutation({
    mutationFn: () => deleteWebhook(api, account, String(id)),
    onSuccess: async () => {
      showToast(texts.deleted);
      await navigate({ to: '/a/$account/webhooks', params: { account } });
      await client.invalidateQueries({ queryKey: webhooksQuery(api, account).queryKey });
    },
  });
  return (
    <TypedConfirmation
      title={texts.deleteAction}
      name={hostOf(url)}
      action={texts.deleteAction}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{texts.deleteText}</p>
    </TypedConfirmation>
  );
};
