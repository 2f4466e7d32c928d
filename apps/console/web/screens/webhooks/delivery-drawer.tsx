import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { retryWebhookDelivery, webhookDeliveryQuery, webhookQuery } from './queries.ts';
import { logTexts } from './texts/log/index.ts';
import { itemsOf, useLog } from './use-log.ts';

const route = getRouteApi('/signed-in/a/$account/webhooks/$webhook/$delivery');

/** One delivery over the log, which keeps its filter. j and k open its neighbours. */
export const WebhookDeliveryDrawer = () => {
  const texts = useTexts(logTexts);
  const api = useApi();
  const client = useQueryClient();
  const { account, webhook, delivery } = route.useParams();
  const navigate = route.useNavigate();
  const mayManage = useMay('manage-webhooks');
  const { data: owner } = useQuery(webhookQuery(api, account, webhook));
  const query = useQuery(webhookDeliveryQuery(api, account, webhook, delivery));
  const retry = useMutation({
    mutationFn: () => retryWebhookDelivery(api, account, webhook, Number(delivery)),
    onSuccess: () => {
      showToast(texts.retried);
      return client.invalidateQueries({ queryKey: webhookDeliveryQuery(api, account, webhook, delivery).queryKey });
    },
  });
  const state = query.data?.state;
  useEffect(() => {
    // the log behind shows the response, too
    if (state !== undefined) void client.invalidateQueries({ queryKey: ['webhook-log', account, webhook] });
  }, [client, account, webhook, state]);
  const { data: log } = useLog();
  const ids = log ? itemsOf(log).map(({ id }) => String(id)) : [];
  const at = ids.indexOf(delivery);
  const neighbours = [at > 0 ? ids[at - 1] : undefined, at === -1 ? undefined : ids[at + 1]] as const;
  const open = (id: string | undefined) => {
    if (id === undefined) return;
    retry.reset();
    const params = { account, webhook, delivery: id };
    void navigate({ params, search: (search) => search, replace: true, resetScroll: false });
  };
  const [previous, next] = neighbours;
  return (
    <Dialog
      look="drawer"
      title={texts.drawer(delivery)}
      onClose={() =>
        void navigate({ to: '/a/$account/webhooks/$webhook', search: (search) => search, resetScroll: false })
      }
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
        mayManage &&
        query.data &&
        query.data.state !== 'pending' && (
          <>
            {owner?.state === 'paused' && <span>{texts.retryPaused}</span>}
            <Button
              look="primary"
              icon="retry"
              disabled={owner?.state === 'paused'}
              isBusy={retry.isPending}
              onClick={() => retry.mutate()}
            >
              {texts.retry}
            </Button>
          </>
        )
      }
    >
      {retry.error && <Failure error={retry.error} />}
      <Loaded query={query} lines={8}>
        {(found) => (found ? <DeliveryDetails delivery={found} /> : <p>{texts.unknownDelivery}</p>)}
      </Loaded>
    </Dialog>
  );
};
