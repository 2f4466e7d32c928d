import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedRow, Measure, ReconciliationItem } from '../../../src/contract/reconciliations.ts';
import { useApi, useMay } from '../../api.ts';
import { Progress } from '../../files/parts.tsx';
import files from '../../files/style.module.css';
import { filesTexts } from '../../files/texts.ts';
import { useDownload } from '../../files/transfer.ts';
import { Button, classNames, Icon } from '../../parts/button.tsx';
import { Card, Loaded, ScreenHead, backLook } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notices.tsx';
import { More } from '../../parts/pages.tsx';
import { Platform } from '../../parts/platform.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Refused } from '../../reason/refused.tsx';
import { Amounts, Time } from '../../parts/values.tsx';
import { outcomes } from '../../search.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import {
  isComparing,
  ListBadges,
  listedRowsQuery,
  pathOf,
  reconciliationQuery,
  useListName,
  usePeriod,
} from './parts.tsx';
import { ReplayDialog, ReplayState } from './replay.tsx';
import styles from './style.module.css';
import { reconciliationTexts } from './texts.ts';

const hasDetail = ({ message, undelivered, conversionId }: ListedRow): boolean =>
  message !== null || undelivered.length > 0 || conversionId !== null;

/** Why a row has its outcome, as far as it says more than that. */
const Detail = ({ row: { message, undelivered, conversionId } }: { readonly row: ListedRow }) => {
  const texts = useTexts(reconciliationTexts);
  const account = useAccountId();
  return (
    <span className={files.badges}>
      {message !== null && <Refused message={message} />}
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
const ListedRows = ({ item, outcome }: { readonly item: ReconciliationItem; readonly outcome: Measure }) => {
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
          <div className="tools">
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
            <p className="card-body">{texts.noRows}</p>
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

const tones: Readonly<Record<Measure, 'bad' | 'warn' | 'good' | undefined>> = {
  missing: 'bad',
  missingWithoutClient: 'warn',
  extra: 'warn',
  amountDiffers: 'warn',
  currencyDiffers: 'warn',
  undelivered: 'bad',
  duplicateInList: undefined,
  refused: 'bad',
  matched: 'good',
};

const useOutcomeColumns = ({ counts, money, registered }: ReconciliationItem): readonly Column<Measure>[] => {
  const texts = useTexts(reconciliationTexts);
  const format = useFormat();
  return [
    {
      key: 'outcome',
      title: texts.outcome,
      isTitle: true,
      cell: (one) => (
        <Link
          from="/a/$account/reconciliation/$reconciliation"
          to="."
          search={{ outcome: one }}
          replace
          resetScroll={false}
          className={styles.outcome}
          data-open
        >
          <strong>{texts.outcomes[one].title}</strong>
          <span className="small">{texts.outcomes[one].meaning}</span>
        </Link>
      ),
    },
    {
      key: 'count',
      title: texts.count,
      align: 'end',
      cell: (one) => (
        <span className={classNames(styles.count, counts[one] > 0 && tones[one] && styles[tones[one]])}>
          {format.count(counts[one])}
        </span>
      ),
    },
    {
      key: 'amount',
      title: texts.amount,
      align: 'end',
      cell: (one) => (
        <span className={styles.amounts}>
          {money[one].length === 0 ? '–' : <Amounts money={money[one]} />}
          {one === 'amountDiffers' && registered.length > 0 && (
            <span className="small">
              {texts.registeredAs} <Amounts money={registered} />
            </span>
          )}
        </span>
      ),
    },
  ];
};

/** How many rows have each outcome, and what they are worth; those that are missing can be registered. */
const Outcomes = ({ item, outcome }: { readonly item: ReconciliationItem; readonly outcome: Measure }) => {
  const texts = useTexts(reconciliationTexts);
  const mayReplay = useMay('import-sales');
  const [isOpen, setOpen] = useState(false);
  const columns = useOutcomeColumns(item);
  const { counts, replay } = item;
  const missing = counts.missing + counts.missingWithoutClient;
  return (
    <Card
      title={missing + counts.extra + counts.amountDiffers + counts.currencyDiffers === 0 ? texts.alike : texts.found}
      tools={
        mayReplay &&
        missing > 0 && (
          <Button look="primary" icon="check" disabled={replay?.state === 'running'} onClick={() => setOpen(true)}>
            {texts.replay}
          </Button>
        )
      }
    >
      {item.state === 'failed' && <p className="card-body">{texts.failed}</p>}
      {replay && !replay.isDryRun && <ReplayState replay={replay} />}
      <Table
        caption={texts.found}
        columns={columns}
        rows={outcomes.filter((one) => counts[one] > 0 || one === 'missing' || one === 'matched')}
        keyOf={(one) => one}
        isCurrent={(one) => one === outcome}
      />
      {isOpen && <ReplayDialog item={item} onClose={() => setOpen(false)} />}
    </Card>
  );
};

const route = getRouteApi('/signed-in/a/$account/reconciliation/$reconciliation');

const About = ({ item }: { readonly item: ReconciliationItem }) => {
  const fileTexts = useTexts(filesTexts);
  const periodOf = usePeriod();
  return (
    <>
      {periodOf(item)} · {item.createdBy === null ? fileTexts.byKey : fileTexts.by(item.createdBy)} ·{' '}
      <Time at={item.createdAt} look="ago" /> <ListBadges item={item} />
    </>
  );
};

const Content = ({ item }: { readonly item: ReconciliationItem }) => {
  const texts = useTexts(reconciliationTexts);
  const fileTexts = useTexts(filesTexts);
  const format = useFormat();
  const { outcome = outcomes.find((one) => item.counts[one] > 0) ?? 'matched' } = route.useSearch();
  if (isComparing(item)) {
    const text = texts.comparing(format.count(item.done), format.count(item.rows));
    return (
      <Card>
        <Progress text={text} note={fileTexts.leave} done={item.done} total={item.rows} />
      </Card>
    );
  }
  return (
    <>
      <Outcomes item={item} outcome={outcome} />
      <ListedRows item={item} outcome={outcome} />
    </>
  );
};

/** One list: what both sides have, and what only one has. */
export const ComparisonPage = () => {
  const texts = useTexts(reconciliationTexts);
  const api = useApi();
  const nameOf = useListName();
  const { account, reconciliation: id } = route.useParams();
  const query = useQuery(reconciliationQuery(api, account, id));
  return (
    <>
      <Link to="/a/$account/reconciliation" params={{ account }} className={backLook}>
        <Icon name="left" />
        {texts.title}
      </Link>
      <ScreenHead
        title={query.data ? nameOf(query.data) : texts.name(Number(id))}
        intro={query.data && <About item={query.data} />}
      />
      <Loaded query={query} lines={8}>
        {(item) => <Content item={item} />}
      </Loaded>
    </>
  );
};
