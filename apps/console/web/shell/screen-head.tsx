import type { ReactNode } from 'react';
import styles from '../parts/parts.module.css';

interface ScreenHeadProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children?: ReactNode;
}

/** The title of a screen, also of the browser's tab, and its controls. */
export const ScreenHead = ({ title, intro, children }: ScreenHeadProps) => (
  <header className={styles.screenHead}>
    <title>{`${title} · Leadback`}</title>
    <div className={styles.screenHeadTitle}>
      <h1>{title}</h1>
      {intro !== undefined && <p>{intro}</p>}
    </div>
    {children}
  </header>
);
