import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ImportItem } from '../../../src/contract/imports.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import styles from '../../files/style.module.css';
import { More } from '../../files/more.tsx';
import { Amounts } from '../../parts/amounts.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { ImportBadges, useImportName, useSenderWords } from './import-words.tsx';
import { importsQuery } from './queries.ts';
import { importsTexts } from './texts.ts';

const useColumns = (): readonly Column<ImportItem>[] => {
  const texts = useTexts(importsTexts);
  const format = useFormat();
  const account = useAccountId();
  const nameOf = useImportName();
  const sentBy = useSenderWords();
  return [
    {
      key: 'file',
      title: texts.list.file,
      isTitle: true,
      cell: (item) => (
        <Link
          to="/a/$account/imports/$import"
          params={{ account, import: String(item.id) }}
          className={styles.name}
          data-open
        >
          <strong>{nameOf(item)}</strong>
          <span className={styles.small}>
            {texts.subjects[item.of]} · {sentBy(item.createdBy)}
          </span>
        </Link>
      ),
    },
    { key: 'state', title: texts.list.state, cell: (item) => <ImportBadges item={item} /> },
    { key: 'rows', title: texts.list.rows, align: 'end', cell: ({ rows }) => format.count(rows) },
    {
      key: 'created',
      title: texts.list.created,
      align: 'end',
      cell: ({ counts, money }) => (
        <span className={styles.stack}>
          {format.count(counts.created)}
          {money.length > 0 && (
            <span className={styles.small}>
              <Amounts money={money} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'refused',
      title: texts.list.refused,
      align: 'end',
      cell: ({ counts }) => format.count(counts.refused + counts.differs),
    },
    {
      key: 'when',
      title: texts.list.when,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} look="ago" />,
    },
  ];
};

export const ImportList = () => {
  const texts = useTexts(importsTexts);
  const api = useApi();
  const account = useAccountId();
  const mayImport = useMay('import-sales');
  const query = useInfiniteQuery(importsQuery(api, account));
  const columns = useColumns();
  return (
    <Card title={texts.files}>
      <Loaded query={query} lines={6} isErrorElsewhere={query.isFetchNextPageError}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? (
            <Empty icon="upload" title={texts.emptyTitle}>
              {mayImport ? texts.empty : texts.mayNot}
            </Empty>
          ) : (
            <Table caption={texts.files} columns={columns} rows={items} keyOf={({ id }) => id} />
          );
        }}
      </Loaded>
      <More query={query} />
    </Card>
  );
};
