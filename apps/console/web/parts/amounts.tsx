import type { Money } from '../../src/contract/money.ts';
import { useFormat } from '../text/use-format.ts';
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
