import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Webhook } from '../../../src/contract/webhooks.ts';
import { useApi, useMay } from '../../api.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { FormDialog, TypedConfirmation } from '../../parts/dialog.tsx';
import { Card, Loaded, ScreenHead, backLook } from '../../parts/layout.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { Log } from './log.tsx';
import {
  deleteWebhook,
  hostOf,
  rotateSecret,
  SecretDialog,
  testWebhook,
  webhookDeliveryQuery,
  useChange,
  usePauseWords,
  WebhookForm,
  WebhookState,
  webhookQuery,
  webhooksQuery,
} from './parts.tsx';
import styles from './style.module.css';
import { webhooksTexts } from './texts.ts';

/** Why a webhook is told of nothing, and the way on. */
const PauseNotice = ({ webhook }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  const mayManage = useMay('manage-webhooks');
  const resume = useChange(webhook.id, texts.resumed);
  const words = usePauseWords()(webhook);
  if (words === null) return null;
  return (
    <div className={styles.notice} role="status">
      <div>
        <p>{words}</p>
        <p>{texts.pausedMeans}</p>
      </div>
      {mayManage && (
        <Button look="primary" isBusy={resume.isPending} onClick={() => resume.mutate({ state: 'active' })}>
          {texts.resume}
        </Button>
      )}
      {resume.error && <Failure error={resume.error} />}
    </div>
  );
};

interface DeleteDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

const DeleteDialog = ({ webhook: { id, url }, onClose }: DeleteDialogProps) => {
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

interface EditDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

const EditDialog = ({ webhook, onClose }: EditDialogProps) => {
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

interface RotateDialogProps {
  readonly webhook: string;
  readonly onClose: () => void;
}

/** Explains the overlap before it changes the secret, and shows the new one, once. */
const RotateDialog = ({ webhook, onClose }: RotateDialogProps) => {
  const texts = useTexts(webhooksTexts);
  const format = useFormat();
  const api = useApi();
  const account = useAccountId();
  const rotate = useMutation({ mutationFn: () => rotateSecret(api, account, webhook) });
  if (rotate.data) {
    const { secret, previousUntil } = rotate.data;
    return (
      <SecretDialog title={texts.rotated} secret={secret} onClose={onClose}>
        <p>{texts.secretText}</p>
        <p>{texts.rotatedUntil(format.time(previousUntil))}</p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={texts.rotate}
      action={texts.rotateAction}
      isBusy={rotate.isPending}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p>{texts.rotateText}</p>
        {rotate.error && <Failure error={rotate.error} />}
      </div>
    </FormDialog>
  );
};

type Asked = 'edit' | 'rotate' | 'delete';

/** Sends a test event, and opens its delivery: there the response appears. */
const SendTest = ({ webhook: { id, state } }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = useAccountId();
  const webhook = String(id);
  const test = useMutation({
    mutationFn: () => testWebhook(api, account, webhook),
    onSuccess: async ({ deliveryId }) => {
      const delivery = String(deliveryId);
      // an open test is sent sooner: what was read of it before is not true any more
      await client.invalidateQueries({ queryKey: webhookDeliveryQuery(api, account, webhook, delivery).queryKey });
      await navigate({
        to: '/a/$account/webhooks/$webhook/$delivery',
        params: { account, webhook, delivery },
        resetScroll: false,
      });
    },
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
const WebhookActions = ({ webhook }: { readonly webhook: Webhook }) => {
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

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

const WebhookFacts = ({ webhook }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  const { url, events, isTest, createdAt, lastAcceptedAt } = webhook;
  return (
    <Card>
      <dl className={styles.facts}>
        <Fact title={texts.columns.state}>
          <WebhookState webhook={webhook} />
        </Fact>
        <Fact title={texts.mode}>{isTest ? texts.testMode : texts.liveMode}</Fact>
        <Fact title={texts.columns.accepted}>
          {lastAcceptedAt === null ? texts.never : <Time at={lastAcceptedAt} look="ago" />}
        </Fact>
        <Fact title={texts.columns.created}>
          <Time at={createdAt} />
        </Fact>
        <Fact title={texts.url}>
          <span className={styles.copied}>
            <code>{url}</code>
            <CopyButton text={url} what={texts.url} />
          </span>
        </Fact>
        <Fact title={texts.events}>
          <ul className={styles.badges}>
            {events.map((event) => (
              <li key={event} title={texts.topics[event]}>
                <Badge tone="plain">{event}</Badge>
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
    </Card>
  );
};

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook');

/** One webhook: does it arrive, and what did the receiver respond? */
export const WebhookScreen = () => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const { account, webhook: id } = route.useParams();
  const mayManage = useMay('manage-webhooks');
  const query = useQuery(webhookQuery(api, account, id));
  return (
    <>
      <Link to="/a/$account/webhooks" params={{ account }} className={backLook}>
        <Icon name="left" />
        {texts.title}
      </Link>
      <Loaded query={query} lines={8}>
        {(webhook) => (
          <>
            <ScreenHead title={hostOf(webhook.url)} intro={texts.webhook(id)}>
              {mayManage && <WebhookActions webhook={webhook} />}
            </ScreenHead>
            <PauseNotice webhook={webhook} />
            <WebhookFacts webhook={webhook} />
            <Log />
          </>
        )}
      </Loaded>
      <Outlet />
    </>
  );
};
