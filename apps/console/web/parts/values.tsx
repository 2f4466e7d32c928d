import { type ReactNode, useEffect, useState } from 'react';
import type { Delivery, ReadDeliveryReply } from '../../src/contract/deliveries.ts';
import type { Money } from '../../src/contract/values.ts';
import { useFormat } from '../text/language.tsx';
import { classNames } from './button.tsx';
import styles from './parts.module.css';

/** Amounts, one for each currency: they are never added. */
export const Amounts = ({ money }: { readonly money: readonly Money[] }) => {
  const format = useFormat();
  return (
    <span className={styles.amounts}>
      {money.map(({ currency, amount }) => (
        <span key={currency}>{format.money(amount, currency)}</span>
      ))}
    </span>
  );
};

type Attempt = ReadDeliveryReply['attempts'][number];
export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'accent';

export const deliveryTones: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'plain',
  delivered: 'good',
  failed: 'bad',
  skipped: 'warn',
};

export const attemptTones: Readonly<Record<Attempt['outcome'], 'good' | 'bad' | 'warn' | 'plain'>> = {
  delivered: 'good',
  rejected: 'bad',
  refused: 'bad',
  unavailable: 'warn',
  throttled: 'warn',
  requeued: 'plain',
};

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={classNames(styles.badge, styles[tone])}>{children}</span>
);

const minuteMs = 60_000;

/** The current time, renewed every minute. */
const useNow = (): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};

interface TimeProps {
  readonly at: string;
  /** exact: date and time. ago: how long ago; the exact time is its title. */
  readonly look?: 'exact' | 'ago';
}

export const Time = ({ at, look = 'exact' }: TimeProps) => {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.timeWithZone(at)}>
      {look === 'ago' ? format.ago(at, now) : format.time(at)}
    </time>
  );
};

/** Indented, if it is JSON. */
const readable = (answer: string): string => {
  try {
    return JSON.stringify(JSON.parse(answer), undefined, 2);
  } catch {
    return answer;
  }
};

interface PlatformAnswerProps {
  readonly title: string;
  readonly answer: string;
  readonly isOpen?: boolean;
}

/** What a platform responded, word for word. */
export const PlatformAnswer = ({ title, answer, isOpen = false }: PlatformAnswerProps) => (
  <details className={styles.details} open={isOpen}>
    <summary>{title}</summary>
    {/* keyboards scroll what they can focus */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre className={styles.answer} tabIndex={0}>
      {readable(answer)}
    </pre>
  </details>
);

interface Share {
  /** none: what is missing to the whole. */
  readonly key: 'good' | 'bad' | 'warn' | 'plain' | 'none';
  readonly value: number;
}

/** Parts of a whole, side by side. Decoration: the numbers stand beside it. */
export const ShareBar = ({ shares }: { readonly shares: readonly Share[] }) => {
  const whole = shares.reduce((sum, { value }) => sum + value, 0) || 1;
  const starts = shares.map((_, index) => shares.slice(0, index).reduce((sum, { value }) => sum + value, 0));
  return (
    <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {shares.map(({ key, value }, index) => (
        <rect
          key={key}
          className={classNames(styles[key])}
          x={((starts[index] ?? 0) / whole) * 100}
          width={(value / whole) * 100}
          height={1}
        />
      ))}
    </svg>
  );
};
