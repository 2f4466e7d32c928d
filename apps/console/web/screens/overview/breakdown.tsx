import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { csvRows } from '@leadback/domain/csv';
import type { Measures, OverviewReply } from '../../../src/contract/overview.ts';
import { download } from '../../download.ts';
import { useApi } from '../../api/use-api.ts';
import { Amounts } from '../../parts/amounts.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { daysOf } from '../../range/presets.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { measuresOf, valueOf } from './measures.ts';
import { overviewQuery } from './queries.ts';
import { type Breakdown as By, breakdowns } from './search.ts';
import { overviewTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/overview');

interface Row {
  readonly key: string;
  readonly name: string;
  /** What the row is filtered by; undefined for the sum of the others and for days. */
  readonly filter?: { readonly page: string } | { readonly campaign: string };
  readonly measures: Measures;
}

const useRows = (by: By, { rows, other }: OverviewReply): readonly Row[] => {
  const texts = useTexts(overviewTexts);
  const format = useFormat();
  const named = rows.map(({ key, measures }): Row => {
    const row = { key: `key ${key ?? ''}`, measures };
    if (by === 'day') return { ...row, name: format.dayWithYear(key ?? '') };
    if (by === 'page') return { ...row, name: key ?? '', filter: { page: key ?? '' } };
    return { ...row, name: key ?? texts.noCampaign, filter: { campaign: key ?? '' } };
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
      cell: ({ measures }) => (measures.leads === 0 ? '–' : format.percent(measures.conversions / measures.leads)),
    },
    {
      key: 'revenue',
      title: texts.revenueColumn,
      align: 'end',
      cell: ({ measures }) => (measures.revenue.length === 0 ? '–' : <Amounts money={measures.revenue} />),
    },
  ];
};

/** With one column for each currency. */
const csvOf = (nameTitle: string, rows: readonly Row[]): string => {
  const revenue = rows.flatMap(({ measures }) => measures.revenue);
  const columns = measuresOf({ totals: { revenue }, previous: { revenue: [] } });
  const cells = rows.map(({ name, measures }) => [name, ...columns.map((column) => valueOf(measures, column))]);
  return csvRows([[nameTitle, ...columns], ...cells]);
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
  if (rows.length === 0) return <p className={styles.empty}>{texts.noRows}</p>;
  const { from, to } = overview.range;
  return (
    <>
      <Table caption={texts.breakdowns[by]} columns={columns} rows={rows} keyOf={({ key }) => key} isStale={isStale} />
      <div className={styles.foot}>
        <Button
          look="quiet"
          onClick={() => download(`leadback-${by}-${from}-${to}.csv`, csvOf(texts.names[by], rows), 'text/csv')}
        >
          {texts.csv}
        </Button>
      </div>
    </>
  );
};

/** The same measures by page, campaign or day. */
export const Breakdown = () => {
  const texts = useTexts(overviewTexts);
  const api = useApi();
  const search = route.useSearch();
  const by = search.by ?? 'page';
  const { page, campaign } = search;
  const query = useQuery(overviewQuery(api, useAccountId(), { ...daysOf(search), by, page, campaign }));
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
