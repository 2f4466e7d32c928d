import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import type { Source, SourceEvent } from '../../../src/contract/sources.ts';
import { useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { showToast } from '../../parts/notices.tsx';
import { PagedCard } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time, type Tone } from '../../parts/values.tsx';
import { useFormat, useLanguage, useTexts } from '../../text/language.tsx';
import { eventsQuery, replaySource, useSourcesChanged } from './queries.ts';
import styles from './style.module.css';
import { sourceTexts } from './texts.ts';

const tones: Readonly<Record<NonNullable<SourceEvent['outcome']>, Tone>> = {
  sale: 'good',
  adjusted: 'good',
  repeated: 'plain',
  ignored: 'plain',
  'without-click': 'warn',
  failed: 'bad',
};

interface OfSource {
  readonly account: string;
  readonly source: Source;
}

/** May go on in the next line after its dots, and nowhere else. */
const EventName = ({ name }: { readonly name: string }) => (
  <strong>
    {name.split(/(?<=[._/])/).map((part, place, all) => (
      <Fragment key={all.slice(0, place).join('')}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </strong>
);

const EventTable = ({ account, events }: { readonly account: string; readonly events: readonly SourceEvent[] }) => {
  const texts = useTexts(sourceTexts);
  const { language } = useLanguage();
  const columns: readonly Column<SourceEvent>[] = [
    {
      key: 'event',
      title: texts.columns.event,
      isTitle: true,
      cell: ({ event, order }) => (
        <span className={styles.message}>
          <EventName name={event} />
          {order !== null && <small>{texts.order(order)}</small>}
        </span>
      ),
    },
    {
      key: 'outcome',
      title: texts.columns.outcome,
      cell: ({ outcome }) =>
        outcome === null ? (
          <Badge tone="accent">{texts.outcomes.waiting}</Badge>
        ) : (
          <Badge tone={tones[outcome]}>{texts.outcomes[outcome]}</Badge>
        ),
    },
    {
      key: 'reason',
      title: texts.columns.reason,
      cell: ({ reason, message }) =>
        reason === null ? (
          '–'
        ) : (
          <span className={styles.reason}>
            {reason[language]}
            {message !== null && <small lang="en">{message}</small>}
          </span>
        ),
    },
    {
      key: 'sale',
      title: texts.columns.sale,
      cell: ({ conversionId, order }) =>
        conversionId === null ? (
          '–'
        ) : (
          <Link
            to="/a/$account/find"
            params={{ account }}
            search={{ conversion: conversionId }}
            className={styles.sale}
            aria-label={order === null ? undefined : `${texts.see}: ${order}`}
            data-open
          >
            {texts.see}
          </Link>
        ),
    },
    { key: 'at', title: texts.columns.at, align: 'end', cell: ({ at }) => <Time at={at} look="ago" /> },
  ];
  return <Table caption={texts.log} columns={columns} rows={events} keyOf={({ id }) => id} />;
};

const Replay = ({ account, source: { id } }: OfSource) => {
  const texts = useTexts(sourceTexts);
  const format = useFormat();
  const api = useApi();
  const sourcesChanged = useSourcesChanged();
  const [isAsked, setAsked] = useState(false);
  const replay = useMutation({
    mutationFn: () => replaySource(api, account, id),
    onSuccess: ({ events }) => {
      setAsked(false);
      showToast(texts.replayed(format.count(events)));
      return sourcesChanged();
    },
  });
  return (
    <>
      <Button icon="retry" onClick={() => setAsked(true)}>
        {texts.replay}
      </Button>
      {isAsked && (
        <FormDialog
          title={texts.replayTitle}
          action={texts.replayAction}
          isBusy={replay.isPending}
          error={replay.error}
          focus="action"
          onSubmit={() => replay.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>{texts.replayText}</p>
        </FormDialog>
      )}
    </>
  );
};

/** What a source was sent, and the outcome of each. */
export const Log = ({ account, source }: OfSource) => {
  const texts = useTexts(sourceTexts);
  const may = useMay('manage-connections');
  const query = useInfiniteQuery(eventsQuery(useApi(), account, source));
  const hasSome = source.failed + source.ignored + source.withoutClick > 0;
  return (
    <PagedCard
      title={texts.log}
      tools={may && hasSome && <Replay account={account} source={source} />}
      query={query}
      lines={6}
      empty={{ icon: 'inbox', title: texts.logEmpty, children: texts.logEmptyText }}
      end={texts.end}
    >
      {(events) => <EventTable account={account} events={events} />}
    </PagedCard>
  );
};
