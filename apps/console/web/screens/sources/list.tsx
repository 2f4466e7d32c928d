import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Source } from '../../../src/contract/sources.ts';
import { useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Loaded } from '../../parts/layout.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, ShareBar, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { sourceListTexts } from './list-texts.ts';
import { sourceHealthOf, sourceName, sourcesQuery, sourceTones } from './queries.ts';
import styles from './style.module.css';

export const SourceState = ({ source }: { readonly source: Source }) => {
  const texts = useTexts(sourceListTexts);
  const health = sourceHealthOf(source);
  return <Badge tone={sourceTones[health]}>{texts.health[health]}</Badge>;
};

/** How many of its sales a click led to. */
export const ClickShare = ({ source }: { readonly source: Source }) => {
  const texts = useTexts(sourceListTexts);
  const format = useFormat();
  const { sales, withoutClick, shareWithClick } = source;
  if (shareWithClick === null) return <span className={styles.small}>{texts.noSales}</span>;
  return (
    <div className={styles.share}>
      <ShareBar
        shares={[
          { key: 'good', value: sales },
          { key: 'none', value: withoutClick },
        ]}
      />
      <span className={styles.small}>
        {texts.shareOf(format.percent(shareWithClick), format.count(sales + withoutClick))}
      </span>
    </div>
  );
};

const useColumns = (): readonly Column<Source>[] => {
  const texts = useTexts(sourceListTexts);
  const common = useTexts(commonTexts);
  const format = useFormat();
  const account = useAccountId();
  return [
    {
      key: 'source',
      title: texts.columns.source,
      isTitle: true,
      cell: ({ id, isTest, ...named }) => (
        <Link
          to="/a/$account/connections/sources/$source"
          params={{ account, source: String(id) }}
          className={styles.name}
          data-open
        >
          <strong>{sourceName(named)}</strong>
          <small>
            {texts.source(id)}
            {isTest && ` · ${common.test}`}
          </small>
        </Link>
      ),
    },
    { key: 'state', title: texts.columns.state, cell: (source) => <SourceState source={source} /> },
    { key: 'share', title: texts.columns.share, cell: (source) => <ClickShare source={source} /> },
    {
      key: 'last',
      title: texts.columns.last,
      align: 'end',
      cell: ({ lastEventAt }) => (lastEventAt === null ? '–' : <Time at={lastEventAt} look="ago" />),
    },
    { key: 'failed', title: texts.columns.failed, align: 'end', cell: ({ failed }) => format.count(failed) },
    { key: 'waiting', title: texts.columns.waiting, align: 'end', cell: ({ waiting }) => format.count(waiting) },
  ];
};

const SourceTable = ({ sources }: { readonly sources: readonly Source[] }) => {
  const texts = useTexts(sourceListTexts);
  return <Table caption={texts.title} columns={useColumns()} rows={sources} keyOf={({ id }) => id} />;
};

/** Do sales arrive from all shops and services? */
export const Sources = () => {
  const texts = useTexts(sourceListTexts);
  const navigate = useNavigate();
  const account = useAccountId();
  const may = useMay('manage-connections');
  const query = useQuery(sourcesQuery(useApi(), account));
  const add = may && (
    <Button
      icon="plus"
      onClick={() =>
        void navigate({ to: '/a/$account/connections/sources/$source', params: { account, source: 'new' } })
      }
    >
      {texts.add}
    </Button>
  );
  return (
    <Card title={texts.title} tools={add}>
      <Loaded query={query} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.none}>{may ? texts.empty : texts.emptyMayNot}</p>
          ) : (
            <SourceTable sources={items} />
          )
        }
      </Loaded>
    </Card>
  );
};
