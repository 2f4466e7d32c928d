import { Link } from '@tanstack/react-router';
import type { Connection } from '../../../src/contract/connections.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Platform } from '../../parts/platform.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { healthOf, healthTones } from './health.ts';
import { connectionTexts } from './texts.ts';

/** How the newest conversions ended. */
const Recent = ({ recent }: Pick<Connection, 'recent'>) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const { delivered, failed, skipped, pending } = recent;
  const all = delivered + failed + skipped + pending;
  if (all === 0) return <span className={styles.connectionTableSmall}>{texts.noConversions}</span>;
  return (
    <div className={styles.recent}>
      <ShareBar
        shares={[
          { key: 'good', value: delivered },
          { key: 'plain', value: pending },
          { key: 'warn', value: skipped },
          { key: 'bad', value: failed },
        ]}
      />
      <span className={styles.connectionTableSmall}>
        {texts.deliveredOf(format.count(delivered), format.count(all))}
      </span>
    </div>
  );
};

const useColumns = (): readonly Column<Connection>[] => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const account = useAccountId();
  return [
    {
      key: 'connection',
      title: texts.columns.connection,
      isTitle: true,
      cell: ({ id, platform, eventKinds }) => (
        <Link
          to="/a/$account/connections/$connection"
          params={{ account, connection: String(id) }}
          className={styles.name}
          data-open
        >
          <Platform name={platform} />
          <small>
            {texts.connection(id)} · {eventKinds.map((kind) => texts.eventNames[kind]).join(', ')}
          </small>
        </Link>
      ),
    },
    {
      key: 'state',
      title: texts.columns.state,
      cell: (connection) => {
        const health = healthOf(connection);
        return <Badge tone={healthTones[health]}>{texts.health[health]}</Badge>;
      },
    },
    { key: 'recent', title: texts.columns.recent, cell: ({ recent }) => <Recent recent={recent} /> },
    {
      key: 'delivered',
      title: texts.columns.delivered,
      align: 'end',
      cell: ({ deliveredAt }) => (deliveredAt === null ? '–' : <Time at={deliveredAt} look="ago" />),
    },
    {
      key: 'failed',
      title: texts.columns.failed,
      align: 'end',
      cell: ({ id, failedInDay, isFailedPartial }) =>
        failedInDay === 0 ? (
          format.count(0)
        ) : (
          <Link to="/a/$account/deliveries" params={{ account }} search={{ connection: id, state: 'failed' }}>
            {format.count(failedInDay)}
            {isFailedPartial && '+'}
          </Link>
        ),
    },
    {
      key: 'waiting',
      title: texts.columns.waiting,
      align: 'end',
      cell: ({ waiting }) => format.count(waiting),
    },
  ];
};

export const ConnectionTable = ({ connections }: { readonly connections: readonly Connection[] }) => {
  const texts = useTexts(connectionTexts);
  return <Table caption={texts.title} columns={useColumns()} rows={connections} keyOf={({ id }) => id} />;
};
