import { Link } from '@tanstack/react-router';
import type { ListedPage } from '../../../src/contract/pages.ts';
import { useMay } from '../../api/use-api.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Switch } from '../../parts/switch.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';
import { useSwitch } from './use-switch.ts';

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

export const PageTable = ({ pages }: { readonly pages: readonly ListedPage[] }) => {
  const texts = useTexts(pagesTexts);
  const format = useFormat();
  const account = useAccountId();
  const mayEdit = useMay('edit-pages');
  const change = useSwitch();
  const columns: readonly Column<ListedPage>[] = [
    {
      key: 'page',
      title: texts.columns.page,
      isTitle: true,
      cell: ({ id, slug, title, mode }) => (
        <div className={styles.name}>
          <Link to="/a/$account/pages/$page" params={{ account, page: String(id) }} data-open>
            {slug}
          </Link>
          {mode === 'direct' ? <Badge tone="plain">{texts.direct}</Badge> : title !== null && <span>{title}</span>}
        </div>
      ),
    },
    {
      key: 'url',
      title: texts.columns.url,
      cell: ({ url, isOn }) => (
        <div className={styles.url}>
          {isOn ? (
            <a href={url} target="_blank" rel="noreferrer">
              {withoutScheme(url)}
            </a>
          ) : (
            <span>{withoutScheme(url)}</span>
          )}
          <CopyButton text={url} what={url} />
        </div>
      ),
    },
    {
      key: 'isOn',
      title: texts.columns.isOn,
      cell: ({ id, slug, isOn }) => (
        <Switch
          isOn={isOn}
          name={texts.isOn(slug)}
          disabled={!mayEdit}
          isBusy={change.isPending && change.variables.id === id}
          onChange={(wanted) => change.mutate({ id, slug, isOn: wanted })}
        />
      ),
    },
    { key: 'leads', title: texts.columns.leads, align: 'end', cell: ({ leads }) => format.count(leads) },
    {
      key: 'changed',
      title: texts.columns.changed,
      align: 'end',
      cell: ({ changedAt }) => <Time at={changedAt} look="ago" />,
    },
  ];
  return (
    <>
      {change.error && <Failure error={change.error} />}
      <Table caption={texts.title} columns={columns} rows={pages} keyOf={({ id }) => id} />
    </>
  );
};
