import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReconciliationItem } from '../../../src/contract/reconciliations.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import files from '../../files/style.module.css';
import { More } from '../../files/more.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { reconciliationsQuery } from './queries.ts';
import { ListBadges, useListName, usePeriod } from './reconciliation-words.tsx';
import { reconciliationTexts } from './texts.ts';

const useColumns = (): readonly Column<ReconciliationItem>[] => {
  const texts = useTexts(reconciliationTexts);
  const format = useFormat();
  const account = useAccountId();
  const nameOf = useListName();
  const periodOf = usePeriod();
  return [
    {
      key: 'list',
      title: texts.list.name,
      isTitle: true,
      cell: (item) => (
        <Link
          to="/a/$account/reconciliation/$reconciliation"
          params={{ account, reconciliation: String(item.id) }}
          className={files.name}
          data-open
        >
          <strong>{nameOf(item)}</strong>
          <span className={files.small}>{periodOf(item)}</span>
        </Link>
      ),
    },
    { key: 'state', title: texts.list.state, cell: (item) => <ListBadges item={item} /> },
    { key: 'rows', title: texts.list.rows, align: 'end', cell: ({ rows }) => format.count(rows) },
    {
      key: 'missing',
      title: texts.list.missing,
      align: 'end',
      cell: ({ counts }) => format.count(counts.missing + counts.missingWithoutClient),
    },
    {
      key: 'differs',
      title: texts.list.differs,
      align: 'end',
      cell: ({ counts }) => format.count(counts.amountDiffers + counts.currencyDiffers),
    },
    { key: 'extra', title: texts.list.extra, align: 'end', cell: ({ counts }) => format.count(counts.extra) },
    {
      key: 'when',
      title: texts.list.when,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} look="ago" />,
    },
  ];
};

export const ReconciliationList = () => {
  const texts = useTexts(reconciliationTexts);
  const api = useApi();
  const account = useAccountId();
  const mayCompare = useMay('import-sales');
  const query = useInfiniteQuery(reconciliationsQuery(api, account));
  const columns = useColumns();
  return (
    <Card title={texts.lists}>
      <Loaded query={query} lines={6} isErrorElsewhere={query.isFetchNextPageError}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? (
            <Empty icon="compare" title={texts.emptyTitle}>
              {mayCompare ? texts.empty : texts.mayNot}
            </Empty>
          ) : (
            <Table caption={texts.lists} columns={columns} rows={items} keyOf={({ id }) => id} />
          );
        }}
      </Loaded>
      <More query={query} />
    </Card>
  );
};
