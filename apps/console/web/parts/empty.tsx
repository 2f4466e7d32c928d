import type { ReactNode } from 'react';
import styles from './frame.module.css';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** h1: it is all that the page says. */
  readonly heading?: 'h1' | 'h2';
  /** Why there is nothing, and the next step. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export const Empty = ({ icon, title, heading: Heading = 'h2', children, action }: EmptyProps) => (
  <div className={styles.empty}>
    <span className={styles.emptyIcon}>
      <Icon name={icon} />
    </span>
    <Heading className={styles.emptyTitle}>{title}</Heading>
    <p>{children}</p>
    {action}
  </div>
);
