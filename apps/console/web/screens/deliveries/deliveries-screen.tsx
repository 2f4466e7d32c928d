import { getRouteApi, Outlet } from '@tanstack/react-router';
import { useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { DeliveryTable } from './delivery-table.tsx';
import { Filters } from './filters.tsx';
import { deliveriesTexts } from './texts.ts';
import { itemsOf, useDeliveries } from './use-deliveries.ts';
import { useRetry } from './use-retry.ts';
import { useSelection } from './use-selection.ts';

const route = getRouteApi('/signed-in/a/$account/deliveries');

/** The next 50. A search reads a bounded number of rows, so a page may be empty although there are more. */
const More = () => {
  const common = useTexts(commonTexts);
  const texts = useTexts(deliveriesTexts);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = useDeliveries();
  if (isFetchNextPageError) return <Failure error={error} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return texts.end;
  const isSparse = (data?.pages.at(-1)?.items.length ?? 0) < 10;
  return (
    <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {isSparse ? texts.searchOlder : common.loadMore}
    </Button>
  );
};

/** What happened to each event? */
export const DeliveriesScreen = () => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const mayRetry = useMay('retry');
  const search = route.useSearch();
  const query = useDeliveries();
  const retry = useRetry();
  const [selected, selection] = useSelection(JSON.stringify(search));
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro} />
      <Filters />
      <Card>
        <Loaded query={query} lines={10} isErrorElsewhere={query.isFetchNextPageError}>
          {(data) => {
            const items = itemsOf(data);
            return (
              <>
                {items.length === 0 ? (
                  <Empty icon="deliveries" title={texts.emptyTitle}>
                    {isFiltered ? texts.emptyFiltered : texts.empty}
                  </Empty>
                ) : (
                  <DeliveryTable
                    deliveries={items}
                    isStale={query.isPlaceholderData}
                    selection={mayRetry ? selection : undefined}
                  />
                )}
                {(items.length > 0 || query.hasNextPage) && (
                  <div className={styles.more}>
                    <More />
                  </div>
                )}
              </>
            );
          }}
        </Loaded>
      </Card>
      {selected.length > 0 && (
        <div className={styles.bar} role="region" aria-label={texts.selected(format.count(selected.length))}>
          <strong>{texts.selected(format.count(selected.length))}</strong>
          {retry.error && <Failure error={retry.error} />}
          <Button look="quiet" onClick={selection.clear}>
            {texts.clear}
          </Button>
          <Button
            look="primary"
            icon="retry"
            isBusy={retry.isPending}
            onClick={() => retry.mutate(selected, { onSuccess: selection.clear })}
          >
            {texts.retrySelected(format.count(selected.length))}
          </Button>
        </div>
      )}
      <Outlet />
    </>
  );
};
