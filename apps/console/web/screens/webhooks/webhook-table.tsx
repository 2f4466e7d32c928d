import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../../src/contract/webhooks.ts';
import { Badge } from '../../parts/badge.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { topics } from './event-choices.tsx';
import { webhooksTexts } from './texts.ts';
import { WebhookState } from './webhook-state.tsx';
import { WebhookUrl } from './webhook-url.tsx';
import styles from './style.module.css';

export const WebhookTable = ({ webhooks }: { readonly webhooks: readonly Webhook[] }) => {
  const texts = useTexts(webhooksTexts);
  const common = useTexts(commonTexts);
  const account = useAccountId();
  const columns: readonly Column<Webhook>[] = [
    {
      key: 'url',
      title: texts.columns.url,
      isTitle: true,
      cell: ({ id, url }) => (
        <Link
          to="/a/$account/webhooks/$webhook"
          params={{ account, webhook: String(id) }}
          className={styles.name}
          data-open
        >
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
