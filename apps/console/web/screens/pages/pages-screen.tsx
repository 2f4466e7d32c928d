import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedPage } from '../../../src/contract/pages.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import { Notices } from '../../files/notices.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { NewPageDialog } from './new-page-dialog.tsx';
import { PageTable } from './page-table.tsx';
import styles from './style.module.css';
import { pagesQuery } from './queries.ts';
import { pagesTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/pages');

const matching = (pages: readonly ListedPage[], find: string): readonly ListedPage[] => {
  const wanted = find.trim().toLowerCase();
  return pages.filter(({ slug, title, targetUrl }) =>
    [slug, title ?? '', targetUrl].some((text) => text.toLowerCase().includes(wanted)),
  );
};

/** What do visitors see? */
export const PagesScreen = () => {
  const texts = useTexts(pagesTexts);
  const format = useFormat();
  const navigate = route.useNavigate();
  const mayEdit = useMay('edit-pages');
  const query = useQuery(pagesQuery(useApi(), useAccountId()));
  const { find: initial = '' } = route.useSearch();
  // the URL follows: a value that comes back from it would be late
  const [find, setFind] = useState(initial);
  const [isCreating, setCreating] = useState(false);
  const create = mayEdit && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.newPage}
    </Button>
  );
  const search = (text: string) => {
    setFind(text);
    void navigate({ search: { find: text || undefined }, replace: true });
  };
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {query.data !== undefined && query.data.items.length > 0 && create}
      </ScreenHead>
      {query.data !== undefined && query.data.items.length > 1 && (
        <div className={styles.find}>
          <Field
            label={texts.find}
            type="search"
            value={find}
            onChange={(event) => search(event.target.value)}
            data-find
          />
        </div>
      )}
      <Notices
        texts={(query.data?.items ?? []).flatMap(({ slug, targetUrl, targetChange }) =>
          targetChange === null
            ? []
            : [
                texts.targetChanged(
                  slug,
                  targetChange.hostBefore,
                  new URL(targetUrl).host,
                  format.day(targetChange.at.slice(0, 10)),
                ),
              ],
        )}
      />
      <Card>
        <Loaded query={query} lines={6}>
          {({ items, hasMore }) => {
            if (items.length === 0) {
              return (
                <Empty icon="pages" title={texts.emptyTitle} action={create}>
                  {texts.empty}
                </Empty>
              );
            }
            const found = matching(items, find);
            return (
              <>
                {found.length === 0 ? <p className={styles.note}>{texts.noneFound}</p> : <PageTable pages={found} />}
                {hasMore && <p className={styles.note}>{texts.hasMore(format.count(items.length))}</p>}
              </>
            );
          }}
        </Loaded>
      </Card>
      {isCreating && <NewPageDialog baseUrl={query.data?.baseUrl ?? ''} onClose={() => setCreating(false)} />}
    </>
  );
};
