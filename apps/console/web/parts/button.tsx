import type { ComponentProps, ReactNode } from 'react';
import styles from './frame.module.css';

export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => typeof name === 'string').join(' ');

/** Paths in a view box of 24 × 24, drawn as lines. */
const paths = {
  overview: 'M4 20V10m6 10V4m6 16v-7m4 7H2',
  undelivered: 'M12 8v5m0 3.5v.5M10.3 3.9 2.4 18a2 2 0 0 0 1.7 3h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  deliveries: 'M21 3 10 14M21 3l-7 18-4-7-7-4 18-7Z',
  more: 'M4 7h16M4 12h16M4 17h16',
  connections: 'M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0V8Zm6 9v4',
  plus: 'M12 5v14M5 12h14',
  pause: 'M9 5v14m6-14v14',
  play: 'M8 5v14l11-7L8 5Z',
  key: 'M15.5 12.5a4 4 0 1 0-4-4 4 4 0 0 0 4 4Zm-2.8-1.200L4 20h3v-2.500h2.500V15l1.5-1.5',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6.5 8c.5-3.3 3-5 6.5-5s6 1.7 6.5 5M16 4.500a3.5 3.5 0 0 1 0 6.500m2.5 3.300c1.8.8 2.8 2.4 3 4.7',
  account: 'M4 21V5l8-2v18m0-12h8v12M2 21h20M7 8h2m-2 4h2m-2 4h2m6-3h2m-2 4h2',
  audit: 'M6 3h9l4 4v14H6V3Zm8 0v5h5M9.5 12.500h6m-6 4h6',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  quality: 'M12 20a8 8 0 1 0-8-8m8 0 4-4M4 20h4',
  webhooks:
    'M9 7.500a3.500 3.500 0 1 1 5 3.200l2.700 4.800M14.500 17H9.300a3.500 3.500 0 1 1-2.600-3.900M17 20a3 3 0 1 0 0-6M9.500 10 7 14.500',
  pages: 'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM4 9h16M8 13h8M8 16.5h5',
  erasure: 'M14 5 20 11 12 19H8l-4-4L14 5Zm-5 5 6 6M12 19h8',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.7-1.8L20 20',
  left: 'm14.5 6-6 6 6 6',
  right: 'm9.5 6 6 6-6 6',
  down: 'm6 9.5 6 6 6-6',
  close: 'm6 6 12 12M18 6 6 18',
  check: 'm5 12.5 5 5L19.5 7',
  calendar: 'M7 3v4m10-4v4M4 10h16M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z',
  retry: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8c.6-3.6 3.3-5.5 7-5.5s6.400 1.9 7 5.5',
  copy: 'M9 9h10v11H9zM15 5H5v11',
  external: 'M14 4h6v6m0-6-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  upload: 'M12 15V4m-4.5 4.5L12 4l4.5 4.5M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4',
  compare: 'M4 8h13m-3.5-3.5L17 8l-3.5 3.5M20 16H7m3.5 3.5L7 16l3.5-3.5',
  inbox: 'M4 13h4l2 3h4l2-3h4M6 5h12l2.500 8v5a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1v-5L6 5Z',
  shield: 'M12 3 5 6v5c0 4.500 2.900 8.200 7 10 4.100-1.800 7-5.500 7-10V6l-7-3Zm-3 8.500 2.200 2.200L15.500 9.500',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: what it means is said in text beside it or in the label of its button. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);

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
