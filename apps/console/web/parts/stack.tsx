import type { ReactNode } from 'react';
import styles from './parts.module.css';

/** Fields and paragraphs of a dialog, below each other. */
export const Stack = ({ children }: { readonly children: ReactNode }) => <div className={styles.stack}>{children}</div>;
