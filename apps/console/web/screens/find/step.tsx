import type { ReactNode } from 'react';
import type { Delivery } from '../../../src/contract/deliveries.ts';
import { classNames } from '../../parts/class-names.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Time } from '../../parts/time.tsx';
import { DeliveryLines } from './delivery-lines.tsx';
import styles from './style.module.css';

interface FactProps {
  readonly title: string;
  /** Null or nothing: there is no such fact. */
  readonly children: ReactNode;
}

export const Fact = ({ title, children }: FactProps) =>
  children !== null &&
  children !== false && (
    <div className={styles.fact}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );

interface StepProps {
  readonly icon: IconName;
  readonly title: ReactNode;
  /** Beside the title. */
  readonly tools?: ReactNode;
  readonly at: string;
  /** Follows from the step before. */
  readonly isPart?: boolean;
  readonly facts?: ReactNode;
  /** Undefined: nothing is delivered of it. */
  readonly deliveries?: readonly Delivery[];
  readonly children?: ReactNode;
}

/** Something that happened, and what platforms were told of it. */
export const Step = ({ icon, title, tools, at, isPart = false, facts, deliveries, children }: StepProps) => (
  <li className={classNames(styles.step, isPart && styles.part)}>
    <span className={styles.mark}>
      <Icon name={icon} />
    </span>
    <div className={styles.content}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {tools}
        <Time at={at} />
      </header>
      {facts !== undefined && <dl className={styles.facts}>{facts}</dl>}
      {children}
      {deliveries && <DeliveryLines deliveries={deliveries} />}
    </div>
  </li>
);
