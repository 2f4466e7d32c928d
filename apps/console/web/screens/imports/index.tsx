import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { ImportItem } from '../../../src/contract/imports.ts';
import { useApi, useMay } from '../../api.ts';
import { Choice, NewFile } from '../../files/parts.tsx';
import styles from '../../files/style.module.css';
import { ScreenHead, Skeleton } from '../../parts/layout.tsx';
import { PagedCard } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Amounts, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { ImportBadges, importsQuery, pathOf, useImportName, useSenderWords } from './parts.tsx';
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
          <span className="small">
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
            <span className="small">
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

const ImportList = () => {
  const texts = useTexts(importsTexts);
  const api = useApi();
  const account = useAccountId();
  const mayImport = useMay('import-sales');
  const query = useInfiniteQuery(importsQuery(api, account));
  const columns = useColumns();
  return (
    <PagedCard
      title={texts.files}
      query={query}
      lines={6}
      empty={{ icon: 'upload', title: texts.emptyTitle, children: mayImport ? texts.empty : texts.mayNot }}
    >
      {(items) => <Table caption={texts.files} columns={columns} rows={items} keyOf={({ id }) => id} />}
    </PagedCard>
  );
};

const Preview = lazy(async () => ({ default: (await import('./preview.tsx')).Preview }));

/** Shows how a file will be read, sends it, and opens what its dry run finds. */
const NewImport = () => {
  const texts = useTexts(importsTexts);
  const account = useAccountId();
  const navigate = useNavigate();
  const [of, setOf] = useState<ImportItem['of']>('conversion');
  const path = pathOf(account);
  return (
    <NewFile
      title={texts.add}
      path={path}
      query={{ of }}
      listKey={['imports', account]}
      onStored={(id) => void navigate({ to: '/a/$account/imports/$import', params: { account, import: id } })}
      ask={(asked) => (
        <Suspense fallback={<Skeleton lines={6} />}>
          <Preview key={of} of={of} {...asked} />
        </Suspense>
      )}
      hint={
        <>
          <span>{texts.columns[of]}</span>
          <a href={`${path}/template.csv?of=${of}`} download>
            {texts.template}
          </a>
        </>
      }
    >
      <Choice
        label={texts.content}
        value={of}
        options={[
          { value: 'conversion', label: texts.subjects.conversion },
          { value: 'client', label: texts.subjects.client },
        ]}
        onChange={setOf}
      />
    </NewFile>
  );
};

/** Register clients and sales from a file. */
export const ImportsScreen = () => {
  const texts = useTexts(importsTexts);
  const mayImport = useMay('import-sales');
  return (
    <>
      <ScreenHead title={texts.title} intro={mayImport ? texts.intro : texts.mayNot} />
      {mayImport && <NewImport />}
      <ImportList />
    </>
  );
};
