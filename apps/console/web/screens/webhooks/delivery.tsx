import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { WebhookDelivery } from '../../../src/contract/webhooks.ts';
import { useApi, useMay } from '../../api.ts';
import { Button, classNames } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { RowDrawer } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { itemsOf } from '../../parts/pages.tsx';
import { attemptTones, Time } from '../../parts/values.tsx';
import { useFormat, useTexts } from '../../text/language.tsx';
import { DeliveryState, useLog } from './log.tsx';
import { isBeingSent, retryWebhookDelivery, webhookDeliveryQuery, webhookQuery } from './parts.tsx';
import styles from './style.module.css';
import { logTexts } from './texts.ts';

type Attempt = WebhookDelivery['attempts'][number];

const AttemptLine = ({ attempt }: { readonly attempt: Attempt }) => {
  const texts = useTexts(logTexts);
  const format = useFormat();
  const { at, outcome, httpStatus, reason, durationMs } = attempt;
  return (
    <li className={classNames(styles.attempt, styles[attemptTones[outcome]])}>
      <p className="spread">
        <strong>{texts.outcomes[outcome]}</strong>
        {httpStatus !== null && <code>HTTP {httpStatus}</code>}
      </p>
      <p className={styles.when}>
        <Time at={at} />
        {httpStatus !== null && <span>{format.duration(durationMs)}</span>}
      </p>
      {reason !== null && reason !== `HTTP ${httpStatus}` && <p lang="en">{reason}</p>}
    </li>
  );
};

/** What was sent, and how the receiver responded, newest attempt first. */
const DeliveryDetails = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const texts = useTexts(logTexts);
  const { type, state, messageId, createdAt, nextAttemptAt, attempts, data } = delivery;
  const body = JSON.stringify({ type, timestamp: createdAt, data }, undefined, 2);
  const isWaiting = isBeingSent(delivery);
  return (
    <div className={styles.details}>
      <div className={styles.line}>
        <DeliveryState state={state} />
        <strong>{type}</strong>
        <Time at={createdAt} />
      </div>
      <section>
        <h3>{texts.attempts}</h3>
        {isWaiting && (
          <p className={styles.waiting} role="status">
            {texts.beingSent}
          </p>
        )}
        <ol className={styles.timeline}>
          {attempts.toReversed().map((attempt) => (
            <AttemptLine key={`${attempt.at} ${attempt.outcome}`} attempt={attempt} />
          ))}
        </ol>
        {nextAttemptAt !== null && !isWaiting && (
          <p className={styles.when}>
            {texts.nextAttempt}: <Time at={nextAttemptAt} />
          </p>
        )}
      </section>
      <section>
        <h3>{texts.request}</h3>
        <p className={styles.message}>
          <code>webhook-id: {messageId}</code>
          <CopyButton text={messageId} what="webhook-id" />
        </p>
        {/* keyboards scroll what they can focus */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre className={styles.body} tabIndex={0}>
          {body}
        </pre>
      </section>
    </div>
  );
};

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
  const open = (id: string) => {
    retry.reset();
    const params = { account, webhook, delivery: id };
    void navigate({ params, search: (search) => search, replace: true, resetScroll: false });
  };
  return (
    <RowDrawer
      title={texts.drawer(delivery)}
      ids={log ? itemsOf(log).map(({ id }) => String(id)) : []}
      id={delivery}
      names={texts}
      onOpen={open}
      onClose={() =>
        void navigate({ to: '/a/$account/webhooks/$webhook', search: (search) => search, resetScroll: false })
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
    </RowDrawer>
  );
};
