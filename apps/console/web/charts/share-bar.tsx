import { classNames } from '../parts/class-names.ts';
import styles from '../parts/parts.module.css';

export interface Share {
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
