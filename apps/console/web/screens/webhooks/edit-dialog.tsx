import type { Webhook } from '../../../src/contract/webhooks.ts';
import { useTexts } from '../../text/language.tsx';
import { webhooksTexts } from './texts.ts';
import { useChange } from './use-change.ts';
import { WebhookForm } from './webhook-form.tsx';

interface EditDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export const EditDialog = ({ webhook, onClose }: EditDialogProps) => {
  const texts = useTexts(webhooksTexts);
  const change = useChange(webhook.id, texts.changed);
  return (
    <WebhookForm
      title={texts.edit}
      action={texts.save}
      initial={webhook}
      isNew={false}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={({ url, events }) => change.mutate({ url, events }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
};
