import { type ReactNode, useId } from 'react';
import { classNames, Icon, type IconName } from './button.tsx';
import styles from './frame.module.css';

interface MenuProps {
  /** What the button says; `name` if it shows only an icon. */
  readonly label: ReactNode;
  readonly name?: string;
  readonly icon?: IconName;
  readonly look?: 'plain' | 'quiet' | 'wide';
  /** In a row of a list: j and k focus it. */
  readonly isOpener?: boolean;
  /** Receives a function that closes the menu. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button with the browser's own popover: it closes with Escape and with a click elsewhere. */
export const Menu = ({ label, name, icon, look = 'plain', isOpener, children }: MenuProps) => {
  const id = useId();
  return (
    <div className={classNames(styles.menu, styles[look])}>
      <button type="button" className={styles.menuButton} popoverTarget={id} aria-label={name} data-open={isOpener}>
        {icon && <Icon name={icon} />}
        <span className={styles.label}>{label}</span>
        {look !== 'quiet' && <Icon name="down" />}
      </button>
      <div id={id} popover="auto" className={styles.panel}>
        {children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </div>
  );
};

interface MenuItemProps {
  readonly isCurrent?: boolean;
  readonly note?: string | undefined;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export const MenuItem = ({ isCurrent = false, note, onSelect, children }: MenuItemProps) => (
  <button type="button" className={styles.item} aria-current={isCurrent} onClick={onSelect}>
    <span className={styles.text}>{children}</span>
    {note !== undefined && <small>{note}</small>}
    {isCurrent && <Icon name="check" />}
  </button>
);

export const MenuGroup = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={styles.group} role="group" aria-label={title}>
    <p className={styles.title}>{title}</p>
    {children}
  </div>
);
