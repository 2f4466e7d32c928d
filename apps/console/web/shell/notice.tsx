import type { ReactNode } from 'react';
import { Empty } from '../parts/empty.tsx';
import { Brand } from './brand.tsx';
import styles from './style.module.css';

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** A page with only a title, a text and the next step. */
export const Notice = ({ title, text, action }: NoticeProps) => (
  <main className={styles.notice}>
    <title>{`${title} · Leadback`}</title>
    <Brand />
    <Empty icon="inbox" heading="h1" title={title} action={action}>
      {text}
    </Empty>
  </main>
);
