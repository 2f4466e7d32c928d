import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { CreateWebhookInput } from '../../../src/contract/webhooks.ts';
import { useApi } from '../../api/use-api.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { usualTopics } from './event-choices.tsx';
import { createWebhook, webhooksQuery } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { webhooksTexts } from './texts.ts';
import { WebhookForm } from './webhook-form.tsx';

/** Asks what a new webhook is told of, and shows its secret, once. Then its page opens. */
export const AddWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = useAccountId();
  const create = useMutation({
    mutationFn: (given: CreateWebhookInput) => createWebhook(api, account, given),
    onSuccess: () => client.invalidateQueries({ queryKey: webhooksQuery(api, account).queryKey }),
  });
  if (create.data) {
    const { id, secret } = create.data;
    return (
      <SecretDialog
        title={texts.added}
        secret={secret}
        onClose={() => void navigate({ to: '/a/$account/webhooks/$webhook', params: { account, webhook: String(id) } })}
      >
        <p>{texts.secretText}</p>
      </SecretDialog>
    );
  }
  return (
    <WebhookForm
      title={texts.add}
      action={texts.addAction}
      initial={{ url: '', events: [...usualTopics], isTest: false }}
      isNew
      isBusy={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    />
  );
};
