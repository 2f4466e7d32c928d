import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/failure.tsx';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import styles from './style.module.css';

/** The next page of a list, if there is one. */
export const More = <Page,>({ query }: { readonly query: UseInfiniteQueryResult<InfiniteData<Page>> }) => {
  const common = useTexts(commonTexts);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  if (!hasNextPage) return null;
  const load = () => void fetchNextPage();
  return (
    <div className={styles.more}>
      {isFetchNextPageError && error ? (
        <Failure error={error} onRetry={load} />
      ) : (
        <Button isBusy={isFetchingNextPage} onClick={load}>
          {common.loadMore}
        </Button>
      )}
    </div>
  );
};
