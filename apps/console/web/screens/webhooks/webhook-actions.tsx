import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../../src/contract/webhooks.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { testWebhook } from './queries.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import { webhooksTexts } from './texts.ts';
import { useChange } from './use-change.ts';
import styles from './style.module.css';

type Asked = 'edit' | 'rotate' | 'delete';

/** Sends a test event, and opens its delivery: there the response appears. */
const SendTest = ({ webhook: { id, state } }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const navigate = useNavigate();
  const account = useAccountId();
  const webhook = String(id);
  const test = useMutation({
    mutationFn: () => testWebhook(api, account, webhook),
    onSuccess: ({ deliveryId }) =>
      navigate({
        to: '/a/$account/webhooks/$webhook/$delivery',
        params: { account, webhook, delivery: String(deliveryId) },
        resetScroll: false,
      }),
  });
  return (
    <>
      {test.error && <Failure error={test.error} />}
      <Button
        look="primary"
        icon="deliveries"
        disabled={state === 'paused'}
        isBusy={test.isPending}
        onClick={() => test.mutate()}
      >
        {texts.test}
      </Button>
    </>
  );
};

/** What may be done with a webhook. */
export const WebhookActions = ({ webhook }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  const [asked, setAsked] = useState<Asked>();
  const pause = useChange(webhook.id, texts.pauseDone);
  const close = () => setAsked(undefined);
  return (
    <div className={styles.actions}>
      {pause.error && <Failure error={pause.error} />}
      <SendTest webhook={webhook} />
      <Button onClick={() => setAsked('edit')}>{texts.editAction}</Button>
      <Menu label={texts.more}>
        {(closeMenu) => {
          const choose = (act: () => void) => () => {
            closeMenu();
            act();
          };
          return (
            <>
              {webhook.state === 'active' && (
                <MenuItem onSelect={choose(() => pause.mutate({ state: 'paused' }))}>{texts.pause}</MenuItem>
              )}
              <MenuItem onSelect={choose(() => setAsked('rotate'))}>{texts.rotate}…</MenuItem>
              <MenuItem onSelect={choose(() => setAsked('delete'))}>{texts.delete}…</MenuItem>
            </>
          );
        }}
      </Menu>
      {asked === 'edit' && <EditDialog webhook={webhook} onClose={close} />}
      {asked === 'rotate' && <RotateDialog webhook={String(webhook.id)} onClose={close} />}
      {asked === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
    </div>
  );
};
