import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReconciliationItem } from '../../../src/contract/reconciliations.ts';
import { useApi, useMay } from '../../api.ts';
import { NewFile } from '../../files/parts.tsx';
import files from '../../files/style.module.css';
import { ScreenHead } from '../../parts/layout.tsx';
import { PagedCard } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/values.tsx';
import { daysOf, type RangeSearch } from '../../range/range.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { useAccountId, useTimeZone } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { ListBadges, pathOf, reconciliationsQuery, useListName, usePeriod } from './parts.tsx';
import { reconciliationTexts } from './texts.ts';

/** Sends the advertiser's list of a period, and opens the comparison. */
const NewList = () => {
  const texts = useTexts(reconciliationTexts);
  const account = useAccountId();
  const navigate = useNavigate();
  const [range, setRange] = useState<RangeSearch>({ range: 'last-month' });
  const to = '/a/$account/reconciliation/$reconciliation';
  return (
    <NewFile
      title={texts.add}
      path={pathOf(account)}
      query={{ ...daysOf(range, useTimeZone()) }}
      listKey={['reconciliations', account]}
      onStored={(id) => void navigate({ to, params: { account, reconciliation: id } })}
      hint={texts.columns}
    >
      <div className={files.labelled}>
        <span>{texts.period}</span>
        <RangePicker value={range} onChange={setRange} />
      </div>
    </NewFile>
  );
};

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
          <span className="small">{periodOf(item)}</span>
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

const ReconciliationList = () => {
  const texts = useTexts(reconciliationTexts);
  const api = useApi();
  const account = useAccountId();
  const mayCompare = useMay('import-sales');
  const query = useInfiniteQuery(reconciliationsQuery(api, account));
  const columns = useColumns();
  return (
    <PagedCard
      title={texts.lists}
      query={query}
      lines={6}
      empty={{ icon: 'compare', title: texts.emptyTitle, children: mayCompare ? texts.empty : texts.mayNot }}
    >
      {(items) => <Table caption={texts.lists} columns={columns} rows={items} keyOf={({ id }) => id} />}
    </PagedCard>
  );
};

/** Do both sides have the same sales? */
export const ReconciliationScreen = () => {
  const texts = useTexts(reconciliationTexts);
  const mayCompare = useMay('import-sales');
  return (
    <>
      <ScreenHead title={texts.title} intro={mayCompare ? texts.intro : texts.mayNot} />
      {mayCompare && <NewList />}
      <ReconciliationList />
    </>
  );
};
