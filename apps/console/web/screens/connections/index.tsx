import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Connection } from '../../../src/contract/connections.ts';
import { useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Loaded, ScreenHead, Skeleton } from '../../parts/layout.tsx';
import { Empty } from '../../parts/notices.tsx';
import { calledAs, Platform } from '../../parts/platform.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, ShareBar, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { connectionsQuery, healthOf, healthTones, VersionEnd } from './parts.tsx';
import styles from './style.module.css';
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
      cell: ({ id, platform, eventKinds, ...named }) => (
        <Link
          to="/a/$account/connections/$connection"
          params={{ account, connection: String(id) }}
          className={styles.name}
          data-open
        >
          <Platform name={platform} />
          <span>{calledAs(named)}</span>
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

const ConnectionTable = ({ connections }: { readonly connections: readonly Connection[] }) => {
  const texts = useTexts(connectionTexts);
  return <Table caption={texts.title} columns={useColumns()} rows={connections} keyOf={({ id }) => id} />;
};

/** The connections to platforms that soon end the version of their API in use, one of each platform. */
const endingVersions = (connections: readonly Connection[]): readonly Connection[] =>
  connections.filter(
    ({ platform, versionEnd }, place) =>
      versionEnd !== null && connections.findIndex((other) => other.platform === platform) === place,
  );

const Sources = lazy(async () => ({ default: (await import('../sources/list.tsx')).Sources }));

/** Are all platforms told, and does each source send? */
export const ConnectionsScreen = () => {
  const texts = useTexts(connectionTexts);
  const navigate = useNavigate();
  const account = useAccountId();
  const query = useQuery(connectionsQuery(useApi(), account));
  const mayConnect = useMay('manage-connections');
  const connect = mayConnect && (
    <Button
      look="primary"
      icon="plus"
      onClick={() => void navigate({ to: '/a/$account/connections/new', params: { account } })}
    >
      {texts.connect}
    </Button>
  );
  const hasSome = query.data !== undefined && query.data.items.length > 0;
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro} />
      <Loaded query={query} lines={6}>
        {({ items }) => (
          <>
            {endingVersions(items).map((connection) => (
              <VersionEnd key={connection.platform} connection={connection} />
            ))}
            <Card title={texts.outgoing} tools={hasSome && connect}>
              {items.length === 0 ? (
                <Empty icon="connections" title={texts.emptyTitle} action={connect}>
                  {mayConnect ? texts.empty : texts.emptyMayNot}
                </Empty>
              ) : (
                <ConnectionTable connections={items} />
              )}
            </Card>
          </>
        )}
      </Loaded>
      <Suspense fallback={<Skeleton lines={3} />}>
        <Sources />
      </Suspense>
    </>
  );
};
