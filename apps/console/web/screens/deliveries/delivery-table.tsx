import { Link, useParams } from '@tanstack/react-router';
import type { Delivery } from '../../../src/contract/deliveries.ts';
import { Platform, platformTitles } from '../../parts/platform.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { referenceOf, useDeliveryName } from './delivery-name.ts';
import styles from './style.module.css';
import { useFilter } from './filters.tsx';
import { StateBadge } from './state-badge.tsx';
import { deliveriesTexts } from './texts.ts';

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly isStale: boolean;
  /** Undefined: this person may not retry. */
  readonly selection: Selection | undefined;
}

export interface Selection {
  readonly has: (id: number) => boolean;
  readonly toggle: (id: number) => void;
}

const useColumns = (): readonly Column<Delivery>[] => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const filter = useFilter();
  return [
    {
      key: 'event',
      title: texts.columns.event,
      isTitle: true,
      cell: (delivery) => (
        <Link
          from="/a/$account/deliveries"
          to="/a/$account/deliveries/$delivery"
          params={({ account }) => ({ account, delivery: String(delivery.id) })}
          search={(search) => search}
          resetScroll={false}
          className={styles.name}
          data-open
        >
          <strong>{referenceOf(delivery)}</strong>
          <small>{texts.events[delivery.event]}</small>
        </Link>
      ),
    },
    {
      key: 'platform',
      title: texts.columns.platform,
      cell: ({ platform }) => (
        <button
          type="button"
          className={styles.filter}
          title={texts.only(platformTitles[platform])}
          onClick={() => filter({ platform })}
        >
          <Platform name={platform} />
        </button>
      ),
    },
    {
      key: 'state',
      title: texts.columns.state,
      cell: ({ state, code }) => (
        <span className={styles.state}>
          <button
            type="button"
            className={styles.filter}
            title={texts.only(texts.states[state])}
            onClick={() => filter({ state })}
          >
            <StateBadge state={state} />
          </button>
          {code !== null && (
            <button
              type="button"
              className={styles.filter}
              title={texts.only(code)}
              onClick={() => filter({ state, code })}
            >
              <code>{code}</code>
            </button>
          )}
        </span>
      ),
    },
    {
      key: 'amount',
      title: texts.columns.amount,
      align: 'end',
      cell: ({ amount }) =>
        amount && <span className={styles.amount}>{format.money(amount.amount, amount.currency)}</span>,
    },
    {
      key: 'attempts',
      title: texts.columns.attempts,
      align: 'end',
      cell: ({ attempts }) => format.count(attempts),
    },
    {
      key: 'created',
      title: texts.columns.created,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} look="ago" />,
    },
  ];
};

export const DeliveryTable = ({ deliveries, isStale, selection }: DeliveryTableProps) => {
  const texts = useTexts(deliveriesTexts);
  const nameOf = useDeliveryName();
  const columns = useColumns();
  const open = useParams({ strict: false, select: ({ delivery }) => Number(delivery) });
  const select: readonly Column<Delivery>[] = selection
    ? [
        {
          key: 'select',
          title: texts.columns.select,
          isMark: true,
          cell: (delivery) => (
            <input
              type="checkbox"
              className={styles.select}
              aria-label={texts.select(nameOf(delivery))}
              checked={selection.has(delivery.id)}
              disabled={!delivery.canRetry}
              onChange={() => selection.toggle(delivery.id)}
            />
          ),
        },
      ]
    : [];
  return (
    <Table
      caption={texts.title}
      columns={[...select, ...columns]}
      rows={deliveries}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === open}
      isStale={isStale}
    />
  );
};
