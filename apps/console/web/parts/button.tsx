import type { ComponentProps, ReactNode } from 'react';
import styles from './frame.module.css';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Waits for a response: it cannot be pressed again, and keeps its width. */
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
}

export const Button = ({ look = 'plain', icon, isBusy = false, children, disabled, ...others }: ButtonProps) => (
  <button
    type="button"
    {...others}
    className={classNames(styles.button, styles[look], children === undefined && styles.square, isBusy && styles.busy)}
    disabled={disabled === true || isBusy}
    aria-busy={isBusy}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
);
