import { platformNamed } from '@leadback/domain/connection';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Measures, OverviewReply } from '../../../src/contract/results.ts';
import { useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { downloadTable } from '../../parts/copy.tsx';
import { Chips } from '../../parts/form.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Empty } from '../../parts/notices.tsx';
import { calledAs, Platform } from '../../parts/platform.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Amounts, ShareBar } from '../../parts/values.tsx';
import { daysOf } from '../../range/range.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import {
  type Breakdown as By,
  breakdowns,
  type ClickDimension,
  clickDimensions,
  type ClickFilter,
  filterOf,
} from '../../search.ts';
import { useAccountId, useTimeZone } from '../../shell/use-account.ts';
import { useFormat, useLanguage, useTexts } from '../../text/language.tsx';
import { DayTrend, MeasureTabs, measuresOf, useMeasureWords, valueOf } from './parts.tsx';
import { overviewQuery } from './queries.ts';
import styles from './style.module.css';
import { overviewTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/overview');

interface Row {
  readonly key: string;
  readonly name: string;
  /** What the row is filtered by; undefined for the sum of the others and for days. */
  readonly filter?: { readonly page: string } | ClickFilter;
  readonly measures: Measures;
}

/** What clicks say, or that they do not. */
const useSaid = (): ((dimension: ClickDimension, said: string | null) => string) => {
  const texts = useTexts(overviewTexts);
  return (dimension, said) => {
    if (said === null || said === '') return texts.none[dimension];
    return dimension === 'platform'
      ? (platformNamed(said)?.title ?? `${said.charAt(0).toUpperCase()}${said.slice(1)}`)
      : said;
  };
};

const useRows = (by: By, { rows, other }: OverviewReply): readonly Row[] => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const saidIn = useSaid();
  const named = rows.map(({ key, measures }): Row => {
    const row = { key: `key ${key ?? ''}`, measures };
    if (by === 'day') return { ...row, name: format.dayWithYear(key ?? '') };
    if (by === 'page') return { ...row, name: key ?? '', filter: { page: key ?? '' } };
    return { ...row, name: saidIn(by, key), filter: { [by]: key ?? '' } };
  });
  const ordered = by === 'day' ? named.toReversed() : named;
  return other ? [...ordered, { key: 'other', name: texts.other, measures: other }] : ordered;
};

const useColumns = (by: By): readonly Column<Row>[] => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const count = (name: 'leads' | 'clients' | 'conversions'): Column<Row> => ({
    key: name,
    title: texts.measures[name],
    align: 'end',
    cell: ({ measures }) => format.count(measures[name]),
  });
  return [
    {
      key: 'name',
      title: texts.names[by],
      isTitle: true,
      cell: ({ name, filter }) =>
        filter === undefined ? (
          name
        ) : (
          <Link from="/a/$account/overview" to="." search={(search) => ({ ...search, ...filter })} data-open>
            {name}
          </Link>
        ),
    },
    count('leads'),
    count('clients'),
    count('conversions'),
    {
      key: 'rate',
      title: texts.rate,
      align: 'end',
      cell: ({ measures }) =>
        measures.leads === 0 ? '–' : format.decimal((100 * measures.conversions) / measures.leads),
    },
    {
      key: 'revenue',
      title: texts.revenueColumn,
      align: 'end',
      cell: ({ measures }) => (measures.revenue.length === 0 ? '–' : <Amounts money={measures.revenue} />),
    },
  ];
};

interface RowsTableProps {
  readonly by: By;
  readonly overview: OverviewReply;
  readonly isStale: boolean;
}

const RowsTable = ({ by, overview, isStale }: RowsTableProps) => {
  const texts = useTexts(overviewTexts);
  const rows = useRows(by, overview);
  const columns = useColumns(by);
  const words = useMeasureWords();
  const { language } = useLanguage();
  if (rows.length === 0) return <p className={styles.empty}>{texts.noRows}</p>;
  const { from, to } = overview.range;
  const measures = measuresOf({ totals: overview.totals, previous: { revenue: [] } });
  const nameTitle = by === 'day' ? `${texts.names.day} (${overview.timeZone})` : texts.names[by];
  const save = () =>
    downloadTable(`leadback-${by}-${from}-${to}.csv`, language, [
      [nameTitle, ...measures.map(words.title)],
      ...rows.map((row) => [row.name, ...measures.map((measure) => valueOf(row.measures, measure))]),
    ]);
  return (
    <>
      <Table caption={texts.breakdowns[by]} columns={columns} rows={rows} keyOf={({ key }) => key} isStale={isStale} />
      <div className={styles.foot}>
        <Button look="quiet" onClick={save}>
          {texts.csv}
        </Button>
      </div>
    </>
  );
};

/** The same measures by page, by day, or by what the clicks say. */
const Breakdown = () => {
  const texts = useTexts(overviewTexts);
  const api = useApi();
  const search = route.useSearch();
  const by = search.by ?? 'page';
  const { page } = search;
  const question = { ...daysOf(search, useTimeZone()), by, page, ...filterOf(search) };
  const query = useQuery(overviewQuery(api, useAccountId(), question));
  return (
    <Card
      tools={
        <ul className={styles.tabs}>
          {breakdowns.map((one) => (
            <li key={one}>
              <Link
                from="/a/$account/overview"
                to="."
                search={(before) => ({ ...before, by: one === 'page' ? undefined : one })}
                replace
                resetScroll={false}
                className={styles.tab}
                activeOptions={{ exact: true }}
              >
                {texts.breakdowns[one]}
              </Link>
            </li>
          ))}
        </ul>
      }
    >
      <Loaded query={query}>
        {(overview) => <RowsTable by={by} overview={overview} isStale={query.isPlaceholderData} />}
      </Loaded>
    </Card>
  );
};

const states = [
  ['delivered', 'good'],
  ['pending', 'plain'],
  ['skipped', 'warn'],
  ['failed', 'bad'],
] as const;

const ConnectionHealth = ({ connection }: { readonly connection: OverviewReply['connections'][number] }) => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const account = useAccountId();
  const { id, platform, deliveries, isDeleted } = connection;
  const all = states.reduce((sum, [state]) => sum + deliveries[state], 0);
  return (
    <li className={styles.platform}>
      <p className={styles.head}>
        <span>
          <Platform name={platform} /> <small>{calledAs(connection)}</small>
          {isDeleted && <small> ({texts.deletedConnection})</small>}
        </span>
        <strong>{format.percent(all === 0 ? 0 : deliveries.delivered / all)}</strong>
      </p>
      <ShareBar shares={states.map(([state, key]) => ({ key, value: deliveries[state] }))} />
      <ul className={styles.states}>
        {states.map(
          ([state]) =>
            deliveries[state] > 0 && (
              <li key={state}>
                <Link to="/a/$account/deliveries" params={{ account }} search={{ connection: id, state }}>
                  {texts[state]} {format.count(deliveries[state])}
                </Link>
              </li>
            ),
        )}
      </ul>
    </li>
  );
};

/** For each connection, how much of what was to be delivered was. */
const DeliveryHealth = ({ connections }: Pick<OverviewReply, 'connections'>) => {
  const texts = useTexts(overviewTexts);
  const account = useAccountId();
  return (
    <Card
      title={texts.health}
      tools={
        <Link to="/a/$account/undelivered" params={{ account }}>
          {texts.seeLost}
        </Link>
      }
    >
      <p className={styles.told}>{texts.healthIntro}</p>
      {connections.length === 0 ? (
        <p className={styles.empty}>{texts.healthEmpty}</p>
      ) : (
        <ul className={styles.platforms}>
          {connections.map((one) => (
            <ConnectionHealth key={one.id} connection={one} />
          ))}
        </ul>
      )}
    </Card>
  );
};

// for an account without sales alone
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));

const hasSales = ({ totals, previous }: OverviewReply): boolean => totals.conversions + previous.conversions > 0;

const isEmpty = ({ totals, previous, connections }: OverviewReply): boolean =>
  connections.length === 0 &&
  measuresOf({ totals, previous }).length === 3 &&
  [totals, previous].every(({ leads, clients, conversions }) => leads + clients + conversions === 0);

/** What did the clicks earn, and does everything arrive? */
export const OverviewScreen = () => {
  const texts = useTexts(overviewTexts);
  const api = useApi();
  const account = useAccountId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page } = search;
  const saidIn = useSaid();
  const clicks = filterOf(search);
  const question = { ...daysOf(search, useTimeZone()), page, ...clicks };
  const query = useQuery(overviewQuery(api, account, { ...question, by: 'day' }));
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), resetScroll: false });
  const chips = [
    page === undefined ? [] : { key: 'page', text: texts.onlyPage(page), onRemove: () => change({ page: undefined }) },
    clickDimensions.flatMap((name) => {
      const said = clicks[name];
      if (said === undefined) return [];
      const text = `${texts.names[name]}: ${saidIn(name, said || null)}`;
      return [{ key: name, text, onRemove: () => change({ [name]: undefined }) }];
    }),
  ].flat();
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        <RangePicker value={search} onChange={change} />
      </ScreenHead>
      {chips.length > 0 && (
        <div className="tools">
          <Chips chips={chips} />
        </div>
      )}
      <Loaded query={query} lines={8}>
        {(overview) =>
          isEmpty(overview) ? (
            <Suspense>
              <FirstSteps>
                <Card>
                  <Empty
                    icon="overview"
                    title={texts.emptyTitle}
                    action={
                      <Button onClick={() => change({ range: '90d', from: undefined, to: undefined })}>
                        {texts.emptyAction}
                      </Button>
                    }
                  >
                    {texts.empty}
                  </Empty>
                </Card>
              </FirstSteps>
            </Suspense>
          ) : (
            <>
              <Suspense>{!hasSales(overview) && chips.length === 0 && <FirstSteps />}</Suspense>
              <Card>
                <MeasureTabs overview={overview} />
                <DayTrend overview={overview} question={question} measure={search.show ?? 'leads'} />
              </Card>
              <DeliveryHealth connections={overview.connections} />
              <Breakdown />
            </>
          )
        }
      </Loaded>
    </>
  );
};
