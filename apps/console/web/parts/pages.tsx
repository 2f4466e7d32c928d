import { type InfiniteData, infiniteQueryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Api, Query } from '../api.ts';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import { Button } from './button.tsx';
import { Failure } from './notices.tsx';

/** A reply with a part of a list; null: it is the last one. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: number | null;
}

interface Pages<Item> {
  readonly key: readonly unknown[];
  readonly path: string;
  readonly query?: Query;
  /** What the parameter with `next` of the page before is called. */
  readonly cursor?: 'after' | 'before';
  /** Polled while one of them is worked on. */
  readonly isWorking?: (item: Item) => boolean;
}

const firstPage = 0;
const pollMs = 1000;

/** A list that is read page by page. While other filters load, it is as it was; what is polled has none. */
export const pagesQuery = <Reply extends Page<unknown>>(
  api: Api,
  { key, path, query = {}, cursor = 'after', isWorking }: Pages<Reply['items'][number]>,
) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ signal, pageParam }) =>
      api.get<Reply>(path, { ...query, [cursor]: pageParam === firstPage ? undefined : pageParam }, signal),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => (isWorking ? undefined : before),
    refetchInterval: ({ state: { data } }) =>
      isWorking !== undefined && data?.pages.some(({ items }) => items.some(isWorking)) === true ? pollMs : false,
  });

export const itemsOf = <Item,>({ pages }: InfiniteData<Page<Item>>): readonly Item[] =>
  pages.flatMap(({ items }) => items);

interface MoreProps<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** Said after the last page. */
  readonly end?: string;
  /** Said instead of "load more" after a page with few items: a search reads a bounded number of rows. */
  readonly searchOlder?: string;
}

/** Loads the next page of a list. */
export const More = <Item,>({ query, end, searchOlder }: MoreProps<Item>) => {
  const texts = useTexts(commonTexts);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  const load = () => void fetchNextPage();
  if (!hasNextPage && !isFetchNextPageError) return end !== undefined && <div className="older">{end}</div>;
  const isSparse = (data?.pages.at(-1)?.items.length ?? 0) < 10;
  return (
    <div className="older">
      {isFetchNextPageError ? (
        <Failure error={error} onRetry={load} />
      ) : (
        <Button isBusy={isFetchingNextPage} onClick={load}>
          {isSparse && searchOlder !== undefined ? searchOlder : texts.loadMore}
        </Button>
      )}
    </div>
  );
};
