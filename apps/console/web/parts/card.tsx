import type { ReactNode } from 'react';
import styles from './parts.module.css';

interface CardProps {
  readonly title?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export const Card = ({ title, tools, children }: CardProps) => (
  <section className={styles.card}>
    {(title !== undefined || tools !== undefined) && (
      <header className={styles.head}>
        {title !== undefined && <h2>{title}</h2>}
        {tools}
      </header>
    )}
    {children}
  </section>
);
