import type { Delivery } from '../../src/contract/deliveries.ts';
import { classNames } from './button.tsx';
import styles from './frame.module.css';

export type PlatformName = Delivery['platform'];

export const platformTitles: Readonly<Record<PlatformName, string>> = {
  meta: 'Meta',
  google: 'Google Ads',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  microsoft: 'Microsoft Ads',
};

export const Platform = ({ name }: { readonly name: PlatformName }) => (
  <span className={classNames(styles.platform, styles[name])}>{platformTitles[name]}</span>
);
