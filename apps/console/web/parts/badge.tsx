import type { ReactNode } from 'react';
import styles from './parts.module.css';
import { classNames } from './class-names.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'accent';

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={classNames(styles.badge, styles[tone])}>{children}</span>
);
