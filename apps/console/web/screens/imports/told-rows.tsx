import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportItem, ToldOutcome, ToldRowsReply } from '../../../src/contract/imports.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import { Choice } from '../../files/choice.tsx';
import styles from '../../files/style.module.css';
import { More } from '../../files/more.tsx';
import { useDownload } from '../../files/use-download.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { pathOf, toldRowsQuery } from './queries.ts';
import { importsTexts } from './texts.ts';

type ToldRow = ToldRowsReply['items'][number];

/** The kinds of rows of which there is something to say, with how many there are. */
const kindsOf = ({ counts, tooOld }: ImportItem): readonly { outcome: ToldOutcome; count: number }[] => {
  const late = Math.max(0, ...tooOld.map(({ rows }) => rows));
  const all = [
    { outcome: 'refused', count: counts.refused },
    { outcome: 'differs', count: counts.differs },
    { outcome: 'created', count: late },
  ] as const;
  return all.filter(({ count }) => count > 0);
};

const Rows = ({ item, outcome }: { readonly item: ImportItem; readonly outcome: ToldOutcome }) => {
  const texts = useTexts(importsTexts);
  const format = useFormat();
  const query = useInfiniteQuery(toldRowsQuery(useApi(), useAccountId(), { id: item.id, outcome }));
  const columns: readonly Column<ToldRow>[] = [
    {
      key: 'reference',
      title: texts.rows.reference[item.of],
      isTitle: true,
      cell: ({ reference }) => <strong>{reference ?? texts.rows.noReference}</strong>,
    },
    { key: 'line', title: texts.rows.line, align: 'end', cell: ({ line }) => format.count(line) },
    { key: 'message', title: texts.rows.message, cell: ({ message }) => <span lang="en">{message}</span> },
  ];
  return (
    <>
      <Loaded query={query} lines={5} isErrorElsewhere={query.isFetchNextPageError}>
        {({ pages }) => (
          <Table
            caption={texts.rows.kinds[outcome]}
            columns={columns}
            rows={pages.flatMap((page) => page.items)}
            keyOf={({ line }) => line}
            isStale={query.isPlaceholderData}
          />
        )}
      </Loaded>
      <More query={query} />
    </>
  );
};

/** The rows that were refused, that differ, or that a platform will not take; with their lines. */
export const ToldRows = ({ item }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const format = useFormat();
  const account = useAccountId();
  const mayDownload = useMay('see-personal-data');
  const download = useDownload();
  const kinds = kindsOf(item);
  const [first] = kinds;
  const [outcome, setOutcome] = useState(first?.outcome ?? 'refused');
  const path = `${pathOf(account)}/${item.id}/result.csv`;
  return (
    <Card
      title={texts.rows.title}
      tools={
        mayDownload && (
          <div className={styles.tools}>
            {first && (
              <Button
                icon="download"
                isBusy={download.isPending}
                onClick={() => download.mutate(`${path}?outcome=${outcome}`)}
              >
                {texts.rows.download}
              </Button>
            )}
            <Button icon="download" isBusy={download.isPending} onClick={() => download.mutate(path)}>
              {texts.rows.downloadAll}
            </Button>
          </div>
        )
      }
    >
      {download.error && <Failure error={download.error} />}
      {first ? (
        <>
          {kinds.length > 1 && (
            <div className={styles.form}>
              <Choice
                label={texts.rows.show}
                value={outcome}
                options={kinds.map((kind) => ({
                  value: kind.outcome,
                  label: `${texts.rows.kinds[kind.outcome]} ${format.count(kind.count)}`,
                }))}
                onChange={setOutcome}
              />
            </div>
          )}
          <Rows item={item} outcome={outcome} />
        </>
      ) : (
        <p className={styles.form}>{texts.rows.none}</p>
      )}
    </Card>
  );
};
