import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import type { WebhookDeliveriesReply, WebhookDelivery } from '../../../src/contract/webhooks.ts';
import { useApi } from '../../api.ts';
import { Select } from '../../parts/form.tsx';
import { PagedCard } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, deliveryTones, Time } from '../../parts/values.tsx';
import { deliveryStates } from '../../search.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { logQuery } from './parts.tsx';
import styles from './style.module.css';
import { logTexts } from './texts.ts';

export const DeliveryState = ({ state }: Pick<WebhookDelivery, 'state'>) => (
  <Badge tone={deliveryTones[state]}>{useTexts(logTexts).deliveryStates[state]}</Badge>
);

/** What it is about, by the ids that the body has. */
const aboutOf = ({ data }: WebhookDelivery): string =>
  Object.entries(data)
    .filter(([name, value]) => name.endsWith('Id') && typeof value === 'number' && name !== 'deliveryId')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(' · ');

interface LogTableProps {
  readonly deliveries: readonly WebhookDelivery[];
  readonly isStale: boolean;
}

const LogTable = ({ deliveries, isStale }: LogTableProps) => {
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
          className="named"
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

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook');

/** The log of the webhook in the URL. */
export const useLog = (): UseInfiniteQueryResult<InfiniteData<WebhookDeliveriesReply>> => {
  const { account, webhook } = route.useParams();
  return useInfiniteQuery(logQuery(useApi(), account, webhook, route.useSearch()));
};

const StateFilter = () => {
  const texts = useTexts(logTexts);
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className={styles.filter}>
      <Select
        label={texts.columns.state}
        value={state ?? 'any'}
        options={[
          { value: 'any', label: texts.anyState },
          ...deliveryStates.map((value) => ({ value, label: texts.deliveryStates[value] })),
        ]}
        onChange={(value) =>
          void navigate({ search: { state: deliveryStates.find((one) => one === value) }, resetScroll: false })
        }
      />
    </div>
  );
};

/** What a webhook was told in the last 30 days, and how it responded. */
export const Log = () => {
  const texts = useTexts(logTexts);
  const { state } = route.useSearch();
  const query = useLog();
  return (
    <PagedCard
      title={texts.log}
      tools={<StateFilter />}
      query={query}
      lines={6}
      empty={{
        icon: 'deliveries',
        title: texts.logEmptyTitle,
        children: state === undefined ? texts.logEmpty : texts.logEmptyFiltered,
      }}
      end={texts.end}
    >
      {(items) => <LogTable deliveries={items} isStale={query.isPlaceholderData} />}
    </PagedCard>
  );
};
