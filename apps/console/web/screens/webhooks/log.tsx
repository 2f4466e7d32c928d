import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Select } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { LogTable } from './log-table.tsx';
import { states } from './search.ts';
import { logTexts } from './texts/log/index.ts';
import { itemsOf, useLog } from './use-log.ts';
import styles from './style.module.css';

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook');

const StateFilter = () => {
  const texts = useTexts(logTexts);
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div className={styles.filter}>
      <Select
        label={texts.columns.state}
        value={state ?? 'any'}
        options={[
          { value: 'any', label: texts.anyState },
          ...states.map((value) => ({ value, label: texts.deliveryStates[value] })),
        ]}
        onChange={(value) =>
          void navigate({ search: { state: states.find((one) => one === value) }, resetScroll: false })
        }
      />
    </div>
  );
};

/** With a state, a page may be empty although there are more. */
const More = () => {
  const common = useTexts(commonTexts);
  const texts = useTexts(logTexts);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = useLog();
  if (isFetchNextPageError) return <Failure error={error} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return texts.end;
  return (
    <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {common.loadMore}
    </Button>
  );
};

/** What a webhook was told in the last 30 days, and how it responded. */
export const Log = () => {
  const texts = useTexts(logTexts);
  const { state } = route.useSearch();
  const query = useLog();
  return (
    <Card title={texts.log} tools={<StateFilter />}>
      <Loaded query={query} lines={6} isErrorElsewhere={query.isFetchNextPageError}>
        {(data) => {
          const items = itemsOf(data);
          return (
            <>
              {items.length === 0 ? (
                <Empty icon="deliveries" title={texts.logEmptyTitle}>
                  {state === undefined ? texts.logEmpty : texts.logEmptyFiltered}
                </Empty>
              ) : (
                <LogTable deliveries={items} isStale={query.isPlaceholderData} />
              )}
              {(items.length > 0 || query.hasNextPage) && (
                <div className={styles.end}>
                  <More />
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
};
