import { useId } from 'react';
import { CopyButton } from './copy-button.tsx';
import styles from './parts.module.css';

/** A secret to copy. It is not stored, so nobody can show it again. */
export const ShownOnce = ({ title, value }: { readonly title: string; readonly value: string }) => {
  const id = useId();
  return (
    <div>
      <p id={id} className={styles.shownOnceTitle}>
        {title}
      </p>
      <p className={styles.value}>
        <code aria-labelledby={id}>{value}</code>
        <CopyButton text={value} what={title} />
      </p>
    </div>
  );
};
