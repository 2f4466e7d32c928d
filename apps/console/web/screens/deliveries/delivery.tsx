import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Delivery, PreviewPayloadReply, ReadDeliveryReply } from '../../../src/contract/deliveries.ts';
import { useApi, useMay } from '../../api.ts';
import { Button, classNames } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { RowDrawer } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notices.tsx';
import { itemsOf } from '../../parts/pages.tsx';
import { calledAs, Platform, type PlatformName } from '../../parts/platform.tsx';
import { ReasonTitle, ReasonWords, useReason } from '../../reason/reason.tsx';
import { attemptTones, Badge, PlatformAnswer, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { undeliveredTexts } from '../undelivered/texts.ts';
import { deliveryQuery, payloadQuery, StateBadge, useDeliveries, useDeliveryName, useRetry } from './parts.tsx';
import styles from './style.module.css';
import { deliveriesTexts, payloadTexts } from './texts.ts';

type Attempts = ReadDeliveryReply['attempts'];

const Attempt = ({ attempt }: { readonly attempt: Attempts[number] }) => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const { at, outcome, reason, httpStatus, answer, durationMs, platformRequest } = attempt;
  return (
    <li className={classNames(styles.attempt, styles[attemptTones[outcome]])}>
      <p className="spread">
        <strong>{texts.outcomes[outcome]}</strong>
        {httpStatus !== null && <code>HTTP {httpStatus}</code>}
      </p>
      <p className={styles.when}>
        <Time at={at} />
        {outcome !== 'requeued' && <span>{format.duration(durationMs)}</span>}
      </p>
      {reason !== null && <p lang="en">{reason}</p>}
      {platformRequest !== null && (
        <p className={styles.when}>
          {texts.platformRequest}: <code>{platformRequest}</code>
        </p>
      )}
      {answer !== null && <PlatformAnswer title={texts.response} answer={answer} />}
    </li>
  );
};

/** Newest first. */
const AttemptTimeline = ({ attempts }: { readonly attempts: Attempts }) => {
  const texts = useTexts(deliveriesTexts);
  if (attempts.length === 0) return <p>{texts.noAttempts}</p>;
  return (
    <ol className={styles.timeline}>
      {attempts.toReversed().map((attempt) => (
        <Attempt key={`${attempt.at} ${attempt.outcome}`} attempt={attempt} />
      ))}
    </ol>
  );
};

const Event = ({ event, isTest, note, held }: Extract<PreviewPayloadReply, { kind: 'event' }>) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(payloadTexts);
  return (
    <>
      {isTest && <Badge tone="plain">{common.test}</Badge>}
      {held !== null && (
        <p>
          {texts.held} <ReasonTitle code={held} />
        </p>
      )}
      {note !== null && <p lang="en">{note}</p>}
      {/* keyboards scroll what they can focus */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.event} tabIndex={0} aria-label={texts.title}>
        {JSON.stringify(event, undefined, 2)}
      </pre>
      <p className="small">{texts.masked}</p>
    </>
  );
};

interface PreviewProps {
  readonly payload: PreviewPayloadReply;
  readonly platform: PlatformName;
}

const Preview = ({ payload, platform }: PreviewProps) => {
  const texts = useTexts(payloadTexts);
  const format = useFormat();
  switch (payload.kind) {
    case 'event':
      return <Event {...payload} />;
    case 'early':
      return <p>{texts.early(format.time(payload.at))}</p>;
    case 'skipped':
      return (
        <>
          <p>
            {texts.skipped} <ReasonTitle code={payload.reason} />
          </p>
          <ReasonWords code={payload.reason} platform={platform} />
        </>
      );
    case 'unusable':
      return (
        <p>
          {texts.unusable} <span lang="en">{payload.reason}</span>
        </p>
      );
  }
};

/** Built when it is asked for, with the data and settings of now. */
const Payload = ({ delivery: { id, platform } }: Pick<ReadDeliveryReply, 'delivery'>) => {
  const texts = useTexts(payloadTexts);
  const api = useApi();
  const account = useAccountId();
  const [isShown, setShown] = useState(false);
  const query = useQuery({ ...payloadQuery(api, account, id), enabled: isShown });
  return (
    <section className={styles.payload}>
      <h3>{texts.title}</h3>
      {isShown ? (
        <Loaded query={query} lines={6}>
          {(payload) => <Preview payload={payload} platform={platform} />}
        </Loaded>
      ) : (
        <>
          <p className="small">{texts.intro}</p>
          <Button onClick={() => setShown(true)}>{texts.show}</Button>
        </>
      )}
    </section>
  );
};

interface FactProps {
  readonly title: string;
  /** Null: there is no such fact. */
  readonly children: ReactNode;
}

const Fact = ({ title, children }: FactProps) =>
  children !== null && (
    <div className={styles.fact}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );

const timeOrNull = (at: string | null) => (at === null ? null : <Time at={at} />);

const Reason = ({ delivery }: Pick<ReadDeliveryReply, 'delivery'>) => {
  const texts = useTexts(deliveriesTexts);
  const account = useAccountId();
  const reasonOf = useReason();
  const { reason, code, platform, state } = delivery;
  if (reason === null) return null;
  // one that waits has no code
  const known = code ?? reason;
  const isKnown = reasonOf(known, platform) !== undefined;
  return (
    <section className={styles.reason}>
      <h3>{texts.why}</h3>
      {isKnown && (
        <p>
          <ReasonTitle code={known} platform={platform} />
        </p>
      )}
      <ReasonWords code={known} platform={platform} />
      {!(isKnown && reason === known) && <q lang="en">{reason}</q>}
      {code !== null && (state === 'failed' || state === 'skipped') && (
        <Link to="/a/$account/deliveries" params={{ account }} search={{ platform, state, code }}>
          {texts.sameReason}
        </Link>
      )}
    </section>
  );
};

const DeliveryDetails = ({ found }: { readonly found: ReadDeliveryReply }) => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const account = useAccountId();
  const nameOf = useDeliveryName();
  const { delivery, attempts } = found;
  const { platform, connectionId, conversionId, externalReference, amount, previousAmount } = delivery;
  return (
    <div className={styles.details}>
      <div className={styles.deliveryHead}>
        <StateBadge delivery={delivery} />
        <Platform name={platform} />
        <span>
          {calledAs(delivery)} · {texts.connection(connectionId)}
          {delivery.isConnectionDeleted && ` (${texts.deleted})`}
        </span>
      </div>
      <Reason delivery={delivery} />
      <section>
        <h3>{texts.details}</h3>
        <dl className={styles.facts}>
          <Fact title={texts.columns.event}>
            {nameOf(delivery)}
            {externalReference !== null && <CopyButton text={externalReference} what={texts.columns.event} />}
          </Fact>
          <Fact title={texts.columns.amount}>{amount && format.money(amount.amount, amount.currency)}</Fact>
          <Fact title={texts.amountBefore}>
            {previousAmount && format.money(previousAmount.amount, previousAmount.currency)}
          </Fact>
          <Fact title={texts.occurred}>{timeOrNull(delivery.occurredAt)}</Fact>
          <Fact title={texts.created}>{timeOrNull(delivery.createdAt)}</Fact>
          <Fact title={texts.closed}>{timeOrNull(delivery.closedAt)}</Fact>
          <Fact title={texts.nextAttempt}>{timeOrNull(delivery.nextAttemptAt)}</Fact>
          <Fact title={texts.note}>{delivery.note}</Fact>
        </dl>
        {conversionId !== null && (
          <p className={styles.links}>
            <Link to="/a/$account/find" params={{ account }} search={{ conversion: conversionId }}>
              {texts.story}
            </Link>
            <Link to="/a/$account/deliveries" params={{ account }} search={{ conversion: conversionId }}>
              {texts.allOfConversion}
            </Link>
          </p>
        )}
      </section>
      <section>
        <h3>{texts.timeline}</h3>
        <AttemptTimeline attempts={attempts} />
      </section>
      <Payload key={delivery.id} delivery={delivery} />
    </div>
  );
};

const RetryDialog = lazy(async () => ({ default: (await import('../undelivered/retry-dialog.tsx')).RetryDialog }));

interface RetrySinceProps {
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

/** Retries what a connection did not deliver from a delivery on: what somebody wants after a failure that is over. */
const RetrySince = ({ delivery, onClose }: RetrySinceProps) => {
  const texts = useTexts(undeliveredTexts);
  const { id, connectionId } = delivery;
  return (
    <Suspense>
      <RetryDialog scope={texts.since(calledAs(delivery), id)} filter={{ connectionId, since: id }} onClose={onClose} />
    </Suspense>
  );
};

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
  const close = () => void navigate({ to: '/a/$account/deliveries', search: (search) => search, resetScroll: false });
  const open = (id: string) => {
    retry.reset();
    void navigate({ params: { account, delivery: id }, search: (search) => search, replace: true, resetScroll: false });
  };
  return (
    <RowDrawer
      title={texts.drawer(delivery)}
      ids={list ? itemsOf(list).map(({ id }) => String(id)) : []}
      id={delivery}
      names={texts}
      onOpen={open}
      onClose={close}
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
    </RowDrawer>
  );
};
