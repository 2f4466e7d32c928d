import type { WebhookDelivery } from '../../../src/contract/webhook-deliveries.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Time } from '../../parts/time.tsx';
import { classNames } from '../../parts/class-names.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { DeliveryState } from './log-table.tsx';
import { isBeingSent } from './queries.ts';
import { logTexts } from './texts/log/index.ts';

type Attempt = WebhookDelivery['attempts'][number];

const tones: Readonly<Record<Attempt['outcome'], 'good' | 'bad' | 'warn' | 'plain'>> = {
  delivered: 'good',
  rejected: 'bad',
  refused: 'bad',
  unavailable: 'warn',
  throttled: 'warn',
  requeued: 'plain',
};

const AttemptLine = ({ attempt }: { readonly attempt: Attempt }) => {
  const texts = useTexts(logTexts);
  const format = useFormat();
  const { at, outcome, httpStatus, reason, durationMs } = attempt;
  return (
    <li className={classNames(styles.attempt, styles[tones[outcome]])}>
      <p className={styles.head}>
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
export const DeliveryDetails = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
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
