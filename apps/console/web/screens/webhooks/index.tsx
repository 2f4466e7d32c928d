import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreateWebhookInput, Webhook } from '../../../src/contract/webhooks.ts';
import { useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Empty } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common.ts';
import { useTexts } from '../../text/language.tsx';
import {
  createWebhook,
  SecretDialog,
  topics,
  usualTopics,
  WebhookForm,
  WebhookState,
  WebhookUrl,
  webhooksQuery,
} from './parts.tsx';
import styles from './style.module.css';
import { webhooksTexts } from './texts.ts';

/** Asks what a new webhook is told of, and shows its secret, once. Then its page opens. */
const AddWebhook = ({ onClose }: { readonly onClose: () => void }) => {
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

const WebhookTable = ({ webhooks }: { readonly webhooks: readonly Webhook[] }) => {
  const texts = useTexts(webhooksTexts);
  const common = useTexts(commonTexts);
  const account = useAccountId();
  const columns: readonly Column<Webhook>[] = [
    {
      key: 'url',
      title: texts.columns.url,
      isTitle: true,
      cell: ({ id, url }) => (
        <Link to="/a/$account/webhooks/$webhook" params={{ account, webhook: String(id) }} className="named" data-open>
          <WebhookUrl url={url} />
        </Link>
      ),
    },
    {
      key: 'state',
      title: texts.columns.state,
      cell: (webhook) => (
        <span className={styles.badges}>
          <WebhookState webhook={webhook} />
          {webhook.isTest && <Badge tone="accent">{common.test}</Badge>}
        </span>
      ),
    },
    {
      key: 'events',
      title: texts.columns.events,
      cell: ({ events }) => (
        <span title={events.join(', ')}>
          {events.length === topics.length ? texts.allEvents : texts.someEvents(events.length, topics.length)}
        </span>
      ),
    },
    {
      key: 'accepted',
      title: texts.columns.accepted,
      align: 'end',
      cell: ({ lastAcceptedAt }) => (lastAcceptedAt === null ? texts.never : <Time at={lastAcceptedAt} look="ago" />),
    },
    {
      key: 'created',
      title: texts.columns.created,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} look="ago" />,
    },
  ];
  return <Table caption={texts.title} columns={columns} rows={webhooks} keyOf={({ id }) => id} />;
};

/** Who is told what happened to each sale? */
export const WebhooksScreen = () => {
  const texts = useTexts(webhooksTexts);
  const api = useApi();
  const account = useAccountId();
  const mayManage = useMay('manage-webhooks');
  const query = useQuery(webhooksQuery(api, account));
  const [isAdding, setAdding] = useState(false);
  const add = mayManage && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {query.data !== undefined && query.data.items.length > 0 && add}
      </ScreenHead>
      <Card>
        <Loaded query={query} lines={4}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="webhooks" title={texts.emptyTitle} action={add}>
                {mayManage ? texts.empty : texts.emptyForReaders}
              </Empty>
            ) : (
              <WebhookTable webhooks={items} />
            )
          }
        </Loaded>
      </Card>
      {isAdding && <AddWebhook onClose={() => setAdding(false)} />}
    </>
  );
};
