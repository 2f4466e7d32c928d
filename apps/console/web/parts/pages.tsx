import { type InfiniteData, infiniteQueryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Api, Query } from '../api.ts';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Card, Loaded } from './layout.tsx';
import { Empty, Failure } from './notices.tsx';

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

type PagedQuery<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item>>>;

export const itemsOf = <Item,>({ pages }: InfiniteData<Page<Item>>): readonly Item[] =>
  pages.flatMap(({ items }) => items);

interface MoreProps<Item> {
  readonly query: PagedQuery<Item>;
  /** Said after the last page. */
  readonly end?: string | undefined;
  /** Said instead of "load more" after a page with few items: a search reads a bounded number of rows. */
  readonly searchOlder?: string | undefined;
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

interface PagedCardProps<Item> extends MoreProps<Item> {
  readonly title?: string;
  readonly tools?: ReactNode;
  /** Of the skeleton. */
  readonly lines: number;
  readonly empty: Pick<Parameters<typeof Empty>[0], 'icon' | 'title' | 'children'>;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list on a card, or what is said if nothing is in it. */
export const PagedCard = <Item,>({ query, title, tools, lines, empty, children, ...more }: PagedCardProps<Item>) => (
  <Card title={title} tools={tools}>
    <Loaded query={query} lines={lines} isErrorElsewhere={query.isFetchNextPageError}>
      {(data) => {
        const items = itemsOf(data);
        return (
          <>
            {items.length === 0 ? <Empty {...empty} /> : children(items)}
            {(items.length > 0 || query.hasNextPage) && <More query={query} {...more} />}
          </>
        );
      }}
    </Loaded>
  </Card>
);
