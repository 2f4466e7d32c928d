import type { ReactNode } from 'react';
import styles from './parts.module.css';

interface SwitchProps {
  readonly isOn: boolean;
  /** What is on, for people who do not see where the switch is. */
  readonly name: string;
  readonly isBusy?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
  /** Beside it. */
  readonly children?: ReactNode;
}

export const Switch = ({ isOn, name, isBusy = false, disabled = false, onChange, children }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    className={styles.switch}
    aria-checked={isOn}
    aria-label={name}
    aria-busy={isBusy}
    disabled={disabled}
    onClick={() => {
      if (!isBusy) onChange(!isOn);
    }}
  >
    <span className={styles.track} />
    {children}
  </button>
);
