import { Link, useParams } from '@tanstack/react-router';
import type { WebhookDelivery } from '../../../src/contract/webhook-deliveries.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { logTexts } from './texts/log/index.ts';
import styles from './style.module.css';

const tones: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  pending: 'plain',
  delivered: 'good',
  failed: 'bad',
  skipped: 'warn',
};

export const DeliveryState = ({ state }: Pick<WebhookDelivery, 'state'>) => (
  <Badge tone={tones[state]}>{useTexts(logTexts).deliveryStates[state]}</Badge>
);

/** What it is about, by the ids that the body has. */
const aboutOf = ({ data }: WebhookDelivery): string =>
  Object.entries(data)
    .filter(([name, value]) => name.endsWith('Id') && typeof value === 'number' && name !== 'feedbackId')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(' · ');

interface LogTableProps {
  readonly deliveries: readonly WebhookDelivery[];
  readonly isStale: boolean;
}

export const LogTable = ({ deliveries, isStale }: LogTableProps) => {
  const texts = useTexts(logTexts);
  const format = useFormat();
  const open = useParams({ strict: false, select: ({ delivery }) => Number(delivery) });
  const columns: readonly Column<WebhookDelivery>[] = [
    {
      key: 'event',
      title: texts.columns.event,
      isTitle: true,
      cell: (delivery) => (
        <Link
          from="/a/$account/webhooks/$webhook"
          to="/a/$account/webhooks/$webhook/$delivery"
          params={(params) => ({ ...params, delivery: String(delivery.id) })}
          search={(search) => search}
          resetScroll={false}
          className={styles.name}
          data-open
        >
          <span className={styles.url}>
            <strong>{delivery.type}</strong>
            <small>{aboutOf(delivery)}</small>
          </span>
        </Link>
      ),
    },
    { key: 'state', title: texts.columns.state, cell: ({ state }) => <DeliveryState state={state} /> },
    {
      key: 'response',
      title: texts.columns.response,
      cell: ({ attempts }) => {
        const last = attempts.findLast(({ outcome }) => outcome !== 'requeued');
        if (!last) return texts.noResponseYet;
        return <code>{last.httpStatus === null ? (last.reason ?? texts.noResponse) : `HTTP ${last.httpStatus}`}</code>;
      },
    },
    {
      key: 'attempts',
      title: texts.columns.attempts,
      align: 'end',
      cell: ({ attempts }) => format.count(attempts.filter(({ outcome }) => outcome !== 'requeued').length),
    },
    {
      key: 'created',
      title: texts.columns.happened,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} look="ago" />,
    },
  ];
  return (
    <Table
      caption={texts.log}
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === open}
      isStale={isStale}
    />
  );
};
