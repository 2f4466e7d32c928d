import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ImportItem, ListedOutcome, ResultRowsReply } from '../../../src/contract/imports.ts';
import { useApi, useMay } from '../../api.ts';
import { Choice, Notices, Progress, type Tile, Tiles } from '../../files/parts.tsx';
import styles from '../../files/style.module.css';
import { filesTexts } from '../../files/texts.ts';
import { useDownload } from '../../files/transfer.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Card, Loaded, ScreenHead, backLook } from '../../parts/layout.tsx';
import { Empty, Failure, showToast } from '../../parts/notices.tsx';
import { More } from '../../parts/pages.tsx';
import { titleOf } from '../../parts/platform.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Refused } from '../../reason/refused.tsx';
import { Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import {
  ImportBadges,
  importQuery,
  isOpen,
  pathOf,
  registerImport,
  resultRowsQuery,
  useImportName,
  useSenderWords,
} from './parts.tsx';
import { importsTexts } from './texts.ts';

/** Registers what the dry run counted; the button says it. */
const RegisterButton = ({ item: { id, counts, money } }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const navigate = useNavigate();
  const register = useMutation({
    mutationFn: () => registerImport(api, account, id),
    onSuccess: async (begun) => {
      showToast(texts.started);
      await navigate({ to: '/a/$account/imports/$import', params: { account, import: String(begun.id) } });
      for (const key of ['imports', 'import']) void client.invalidateQueries({ queryKey: [key, account] });
    },
  });
  const written = money.map(({ currency, amount }) => format.money(amount, currency));
  return (
    <>
      <Button look="primary" icon="check" isBusy={register.isPending} onClick={() => register.mutate()}>
        {texts.register([format.count(counts.created), ...written].join(' · '))}
      </Button>
      {register.error && <Failure error={register.error} />}
    </>
  );
};

const useTiles = ({ of, isDryRun, counts, money }: ImportItem): readonly Tile[] => {
  const { outcomes } = useTexts(importsTexts);
  const created: Tile = {
    key: 'created',
    title: isDryRun ? outcomes.toCreate : outcomes.created,
    count: counts.created,
    money,
    tone: 'good',
  };
  const refused: Tile = { key: 'refused', title: outcomes.refused, count: counts.refused, tone: 'bad' };
  return of === 'client'
    ? [created, { key: 'existing', title: outcomes.existing, count: counts.existing }, refused]
    : [
        created,
        { key: 'repeated', title: outcomes.repeated, count: counts.repeated },
        { key: 'differs', title: outcomes.differs, count: counts.differs, tone: 'warn' },
        { key: 'not_from_an_ad', title: outcomes.notFromAnAd, count: counts.not_from_an_ad },
        ...(counts.not_paid > 0 ? [{ key: 'not_paid', title: outcomes.notPaid, count: counts.not_paid }] : []),
        refused,
      ];
};

const useNotices = ({ state, message, counts, tooOld, unshared, emailReferences }: ImportItem): readonly string[] => {
  const texts = useTexts(importsTexts);
  const files = useTexts(filesTexts);
  const format = useFormat();
  return [
    state === 'failed' ? (message ?? []) : [],
    tooOld.map(({ platform, rows }) => files.tooOld(format.count(rows), titleOf(platform))),
    unshared > 0 ? texts.unshared(format.count(unshared)) : [],
    emailReferences > 0 ? texts.emailReferences(format.count(emailReferences)) : [],
    counts.differs > 0 ? texts.differs(format.count(counts.differs)) : [],
  ].flat();
};

/** Links between a dry run and the import that registered it. */
const Related = ({ item: { dryRunId, registeredAs } }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const account = useAccountId();
  const other = registeredAs ?? dryRunId;
  if (other === null) return null;
  return (
    <Link to="/a/$account/imports/$import" params={{ account, import: String(other) }}>
      {registeredAs === null ? texts.showDryRun : texts.showImport(other)}
    </Link>
  );
};

/** What the rows would do, or did, and how to register them. */
const Result = ({ item }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const notices = useNotices(item);
  const tiles = useTiles(item);
  const mayRegister = useMay('import-sales');
  const { isDryRun, state, counts, registeredAs } = item;
  const canRegister = isDryRun && state === 'done' && registeredAs === null;
  return (
    <Card>
      <Tiles tiles={tiles} />
      <div className={styles.body}>
        {canRegister && <p>{counts.created > 0 ? texts.preview : texts.nothing}</p>}
        <Notices texts={notices} />
        <div className={styles.actions}>
          {canRegister && counts.created > 0 && mayRegister && <RegisterButton item={item} />}
          <Related item={item} />
        </div>
      </div>
    </Card>
  );
};

type ListedRow = ResultRowsReply['items'][number];

/** The kinds of rows of which there is something to say, with how many there are. */
const kindsOf = ({ counts, tooOld }: ImportItem): readonly { outcome: ListedOutcome; count: number }[] => {
  const late = Math.max(0, ...tooOld.map(({ rows }) => rows));
  const all = [
    { outcome: 'refused', count: counts.refused },
    { outcome: 'differs', count: counts.differs },
    { outcome: 'not_from_an_ad', count: counts.not_from_an_ad },
    { outcome: 'created', count: late },
  ] as const;
  return all.filter(({ count }) => count > 0);
};

const Rows = ({ item, outcome }: { readonly item: ImportItem; readonly outcome: ListedOutcome }) => {
  const texts = useTexts(importsTexts);
  const format = useFormat();
  const query = useInfiniteQuery(resultRowsQuery(useApi(), useAccountId(), { id: item.id, outcome }));
  const columns: readonly Column<ListedRow>[] = [
    {
      key: 'reference',
      title: texts.rows.reference[item.of],
      isTitle: true,
      cell: ({ reference }) => <strong>{reference ?? texts.rows.noReference}</strong>,
    },
    { key: 'line', title: texts.rows.line, align: 'end', cell: ({ line }) => format.count(line) },
    { key: 'message', title: texts.rows.message, cell: ({ message }) => <Refused message={message} /> },
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
const ListedRows = ({ item }: { readonly item: ImportItem }) => {
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
          <div className="tools">
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
            <div className="card-body">
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
        <p className="card-body">{texts.rows.none}</p>
      )}
    </Card>
  );
};

const route = getRouteApi('/signed-in/a/$account/imports/$import');

const About = ({ item }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const sentBy = useSenderWords();
  return (
    <>
      {texts.subjects[item.of]} · {sentBy(item.createdBy)} · <Time at={item.createdAt} look="ago" />{' '}
      <ImportBadges item={item} />
    </>
  );
};

const Open = ({ item: { state, isDryRun, done, rows } }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const files = useTexts(filesTexts);
  const format = useFormat();
  const count = [format.count(done), format.count(rows)] as const;
  const working = isDryRun ? texts.checking(...count) : texts.registering(...count);
  return (
    <Card>
      <Progress
        text={state === 'pending' ? texts.waiting : working}
        note={state === 'pending' ? texts.waitingText : files.leave}
        done={done}
        total={rows}
      />
    </Card>
  );
};

const Content = ({ item }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const mayImport = useMay('import-sales');
  if (isOpen(item)) return <Open item={item} />;
  if (item.state === 'refused') {
    return (
      <Card>
        <Empty
          icon="undelivered"
          title={texts.refusedTitle}
          action={
            mayImport && (
              <Link from="/a/$account/imports/$import" to="/a/$account/imports">
                {texts.chooseAgain}
              </Link>
            )
          }
        >
          <Refused message={item.message ?? ''} />
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <Result item={item} />
      <ListedRows key={item.id} item={item} />
    </>
  );
};

/** One file: what its rows would do or did, and why some were refused. */
export const ImportPage = () => {
  const texts = useTexts(importsTexts);
  const api = useApi();
  const nameOf = useImportName();
  const { account, import: id } = route.useParams();
  const query = useQuery(importQuery(api, account, id));
  return (
    <>
      <Link to="/a/$account/imports" params={{ account }} className={backLook}>
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
