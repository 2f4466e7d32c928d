import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedRow, Measure, ReconciliationItem } from '../../../src/contract/reconciliations.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import files from '../../files/style.module.css';
import { More } from '../../files/more.tsx';
import { useDownload } from '../../files/use-download.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Platform } from '../../parts/platform.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { listedRowsQuery, pathOf } from './queries.ts';
import { reconciliationTexts } from './texts.ts';

const hasDetail = ({ message, undelivered, conversionId }: ListedRow): boolean =>
  message !== null || undelivered.length > 0 || conversionId !== null;

/** Why a row has its outcome, as far as it says more than that. */
const Detail = ({ row: { message, undelivered, conversionId } }: { readonly row: ListedRow }) => {
  const texts = useTexts(reconciliationTexts);
  const account = useAccountId();
  return (
    <span className={files.badges}>
      {message !== null && <span lang="en">{message}</span>}
      {undelivered.map((platform) => (
        <Platform key={platform} name={platform} />
      ))}
      {conversionId !== null && (
        <Link to="/a/$account/deliveries" params={{ account }} search={{ conversion: conversionId }}>
          {texts.deliveries}
        </Link>
      )}
    </span>
  );
};

const useColumns = (outcome: Measure): readonly Column<ListedRow>[] => {
  const texts = useTexts(reconciliationTexts);
  const format = useFormat();
  const money = (amount: ListedRow['amount']) => amount && format.money(amount.amount, amount.currency);
  const isInBoth = ['amountDiffers', 'currencyDiffers', 'matched', 'undelivered'].includes(outcome);
  const registered: Column<ListedRow> = {
    key: 'registered',
    title: texts.row.registered,
    align: 'end',
    cell: (row) => money(row.registered),
  };
  return [
    {
      key: 'reference',
      title: texts.row.reference,
      isTitle: true,
      cell: ({ reference, number }) => <strong>{reference ?? texts.row.place(format.count(number))}</strong>,
    },
    {
      key: 'amount',
      title: outcome === 'extra' ? texts.row.registered : texts.row.listed,
      align: 'end',
      cell: (row) => money(row.amount),
    },
    ...(isInBoth ? [registered] : []),
    {
      key: 'occurred',
      title: texts.row.occurred,
      align: 'end',
      cell: ({ occurredAt }) => occurredAt && <Time at={occurredAt} />,
    },
    { key: 'detail', title: texts.row.detail, cell: (row) => hasDetail(row) && <Detail row={row} /> },
  ];
};

/** The rows with one outcome. */
export const ListedRows = ({ item, outcome }: { readonly item: ReconciliationItem; readonly outcome: Measure }) => {
  const texts = useTexts(reconciliationTexts);
  const account = useAccountId();
  const mayDownload = useMay('see-personal-data');
  const download = useDownload();
  const columns = useColumns(outcome);
  const query = useInfiniteQuery(listedRowsQuery(useApi(), account, { id: item.id, outcome }));
  const path = `${pathOf(account)}/${item.id}/rows.csv`;
  return (
    <Card
      title={texts.outcomes[outcome].title}
      tools={
        mayDownload && (
          <div className={files.tools}>
            <Button
              icon="download"
              isBusy={download.isPending}
              disabled={item.counts[outcome] === 0}
              onClick={() => download.mutate(`${path}?outcome=${outcome}`)}
            >
              {texts.download}
            </Button>
            <Button icon="download" isBusy={download.isPending} onClick={() => download.mutate(path)}>
              {texts.downloadAll}
            </Button>
          </div>
        )
      }
    >
      {download.error && <Failure error={download.error} />}
      <Loaded query={query} lines={6} isErrorElsewhere={query.isFetchNextPageError}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.items);
          return rows.length === 0 ? (
            <p className={files.form}>{texts.noRows}</p>
          ) : (
            <Table
              caption={texts.outcomes[outcome].title}
              columns={columns}
              rows={rows}
              keyOf={({ number }) => number}
              isStale={query.isPlaceholderData}
            />
          );
        }}
      </Loaded>
      <More query={query} />
    </Card>
  );
};
