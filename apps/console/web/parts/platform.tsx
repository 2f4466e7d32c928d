import { platformNamed } from '@leadback/domain/connection';
import type { Delivery } from '../../src/contract/deliveries.ts';
import styles from './frame.module.css';

export type PlatformName = Delivery['platform'];

export const titleOf = (name: PlatformName): string => platformNamed(name)?.title ?? name;

export const Platform = ({ name }: { readonly name: PlatformName }) => (
  <span className={styles.platform}>
    <i style={{ background: platformNamed(name)?.colour }} />
    {titleOf(name)}
  </span>
);

/** What a connection is called, and where it leads if that is something else. */
export const calledAs = ({ label, destination }: Pick<Delivery, 'label' | 'destination'>): string =>
  label === destination ? label : `${label} (${destination})`;
