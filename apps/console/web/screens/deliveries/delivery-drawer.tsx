import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Delivery } from '../../../src/contract/deliveries.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useTexts } from '../../text/language.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { deliveryQuery } from './queries.ts';
import { deliveriesTexts } from './texts.ts';
import { itemsOf, useDeliveries } from './use-deliveries.ts';
import { RetrySince } from './retry-since.tsx';
import { useRetry } from './use-retry.ts';

const route = getRouteApi('/signed-in/a/$account/deliveries/$delivery');

const isLost = ({ state, canRetry }: Delivery): boolean => canRetry || state === 'failed' || state === 'skipped';

/** One delivery over the list, which keeps its filters. j and k open its neighbours. */
export const DeliveryDrawer = () => {
  const texts = useTexts(deliveriesTexts);
  const api = useApi();
  const { account, delivery } = route.useParams();
  const navigate = route.useNavigate();
  const mayRetry = useMay('retry');
  const query = useQuery(deliveryQuery(api, account, delivery));
  const retry = useRetry();
  const [since, setSince] = useState<Delivery>();
  const { data: list } = useDeliveries();
  const ids = list ? itemsOf(list).map(({ id }) => String(id)) : [];
  const at = ids.indexOf(delivery);
  const close = () => void navigate({ to: '/a/$account/deliveries', search: (search) => search, resetScroll: false });
  const open = (id: string | undefined) => {
    if (id === undefined) return;
    retry.reset();
    void navigate({ params: { account, delivery: id }, search: (search) => search, replace: true, resetScroll: false });
  };
  const previous = at > 0 ? ids[at - 1] : undefined;
  const next = at === -1 ? undefined : ids[at + 1];
  return (
    <Dialog
      look="drawer"
      title={texts.drawer(delivery)}
      onClose={close}
      tools={
        <>
          <Button
            look="quiet"
            icon="left"
            aria-label={texts.previous}
            disabled={previous === undefined}
            onClick={() => open(previous)}
            data-previous
          />
          <Button
            look="quiet"
            icon="right"
            aria-label={texts.next}
            disabled={next === undefined}
            onClick={() => open(next)}
            data-next
          />
        </>
      }
      actions={
        mayRetry &&
        query.data !== undefined &&
        isLost(query.data.delivery) && (
          <>
            {!query.data.delivery.canRetry && <span>{texts.canNotRetry}</span>}
            {!query.data.delivery.isTest && (
              <Button onClick={() => setSince(query.data.delivery)}>{texts.retrySince}</Button>
            )}
            <Button
              look="primary"
              icon="retry"
              disabled={!query.data.delivery.canRetry}
              isBusy={retry.isPending}
              onClick={() => retry.mutate([query.data.delivery.id])}
            >
              {texts.retry}
            </Button>
          </>
        )
      }
    >
      {retry.error && <Failure error={retry.error} />}
      <Loaded query={query} lines={8}>
        {(found) => <DeliveryDetails found={found} />}
      </Loaded>
      {since && <RetrySince delivery={since} onClose={() => setSince(undefined)} />}
    </Dialog>
  );
};
