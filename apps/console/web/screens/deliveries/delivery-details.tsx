import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReadDeliveryReply } from '../../../src/contract/deliveries.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Platform } from '../../parts/platform.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { AttemptTimeline } from './attempt-timeline.tsx';
import styles from './style.module.css';
import { useDeliveryName } from './delivery-name.ts';
import { Payload } from './payload.tsx';
import { StateBadge } from './state-badge.tsx';
import { deliveriesTexts } from './texts.ts';

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

const Reason = ({ delivery, meaning, remedy }: ReadDeliveryReply) => {
  const texts = useTexts(deliveriesTexts);
  const account = useAccountId();
  const { reason, code, platform, state } = delivery;
  if (reason === null && meaning === null) return null;
  return (
    <section className={styles.reason}>
      <h3>{texts.why}</h3>
      {meaning !== null && <p lang="en">{meaning}</p>}
      {remedy !== null && <p lang="en">{remedy}</p>}
      {reason !== null && <q lang="en">{reason}</q>}
      {code !== null && (state === 'failed' || state === 'skipped') && (
        <Link to="/a/$account/deliveries" params={{ account }} search={{ platform, state, code }}>
          {texts.sameReason}
        </Link>
      )}
    </section>
  );
};

export const DeliveryDetails = ({ found }: { readonly found: ReadDeliveryReply }) => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const account = useAccountId();
  const nameOf = useDeliveryName();
  const { delivery, attempts } = found;
  const { platform, connectionId, conversionId, externalReference, amount, state } = delivery;
  return (
    <div className={styles.details}>
      <div className={styles.deliveryHead}>
        <StateBadge state={state} />
        <Platform name={platform} />
        <span>{texts.connection(connectionId)}</span>
      </div>
      <Reason {...found} />
      <section>
        <h3>{texts.details}</h3>
        <dl className={styles.facts}>
          <Fact title={texts.columns.event}>
            {nameOf(delivery)}
            {externalReference !== null && <CopyButton text={externalReference} what={texts.columns.event} />}
          </Fact>
          <Fact title={texts.columns.amount}>{amount && format.money(amount.amount, amount.currency)}</Fact>
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
      <Payload key={delivery.id} delivery={delivery.id} />
    </div>
  );
};
