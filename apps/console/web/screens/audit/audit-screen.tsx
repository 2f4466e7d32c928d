import { useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { AuditScope } from './audit-scope.tsx';
import { AuditTable } from './audit-table.tsx';
import { Filters } from './filters.tsx';
import { auditTexts } from './texts.ts';
import { useAudit, useAuditSearch } from './use-audit.ts';

/** The next 50. A search reads a bounded number of entries, so a page may be empty although there are more. */
const More = () => {
  const common = useTexts(commonTexts);
  const texts = useTexts(auditTexts);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = useAudit();
  if (isFetchNextPageError) return <Failure error={error} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return texts.end;
  const isSparse = (data?.pages.at(-1)?.items.length ?? 0) < 10;
  return (
    <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {isSparse ? texts.searchOlder : common.loadMore}
    </Button>
  );
};

/** Who did what? */
export const AuditScreen = () => {
  const texts = useTexts(auditTexts);
  const seesAll = useMay('manage-accounts');
  const search = useAuditSearch();
  const query = useAudit();
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {seesAll && <AuditScope />}
      </ScreenHead>
      <Filters />
      <Card>
        <Loaded query={query} lines={10} isErrorElsewhere={query.isFetchNextPageError}>
          {({ pages }) => {
            const entries = pages.flatMap(({ items }) => items);
            return (
              <>
                {entries.length === 0 ? (
                  <Empty icon="audit" title={texts.emptyTitle}>
                    {isFiltered ? texts.emptyFiltered : texts.empty}
                  </Empty>
                ) : (
                  <AuditTable entries={entries} isStale={query.isPlaceholderData} />
                )}
                {(entries.length > 0 || query.hasNextPage) && (
                  <div className={styles.more}>
                    <More />
                  </div>
                )}
              </>
            );
          }}
        </Loaded>
      </Card>
    </>
  );
};
