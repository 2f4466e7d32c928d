import type { Money } from '../../src/contract/money.ts';
import { Amounts } from '../parts/amounts.tsx';
import { classNames } from '../parts/class-names.ts';
import { useFormat } from '../text/use-format.ts';
import styles from './style.module.css';

export interface Tile {
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly money?: readonly Money[];
  /** Only if there are any. */
  readonly tone?: 'good' | 'bad' | 'warn';
}

/** Counts side by side. */
export const Tiles = ({ tiles }: { readonly tiles: readonly Tile[] }) => {
  const format = useFormat();
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ key, title, count, money = [], tone }) => (
        <div key={key} className={styles.tile}>
          <dt>{title}</dt>
          <dd className={classNames(styles.count, count > 0 && tone && styles[tone])}>{format.count(count)}</dd>
          {money.length > 0 && (
            <dd className={styles.money}>
              <Amounts money={money} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
};
