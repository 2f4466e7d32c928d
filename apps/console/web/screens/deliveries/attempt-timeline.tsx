import type { ReadDeliveryReply } from '../../../src/contract/deliveries.ts';
import { classNames } from '../../parts/class-names.ts';
import { PlatformAnswer } from '../../parts/platform-answer.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { deliveriesTexts } from './texts.ts';

type Attempts = ReadDeliveryReply['attempts'];

const tones: Readonly<Record<Attempts[number]['outcome'], 'good' | 'bad' | 'warn' | 'plain'>> = {
  delivered: 'good',
  rejected: 'bad',
  refused: 'bad',
  unavailable: 'warn',
  throttled: 'warn',
  requeued: 'plain',
};

const Attempt = ({ attempt }: { readonly attempt: Attempts[number] }) => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const { at, outcome, reason, httpStatus, answer, durationMs, platformRequest } = attempt;
  return (
    <li className={classNames(styles.attempt, styles[tones[outcome]])}>
      <p className={styles.head}>
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
export const AttemptTimeline = ({ attempts }: { readonly attempts: Attempts }) => {
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
