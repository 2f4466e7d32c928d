import { createStore, useStore } from '../store.ts';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const shownMs = 6000;
const toasts = createStore<readonly Toast[]>([]);
let ids = 0;

/** Says for some seconds that something was done. What must not be missed belongs on the page. */
export const showToast = (text: string): void => {
  ids += 1;
  const toast = { id: ids, text };
  toasts.set([...toasts.get(), toast]);
  setTimeout(() => toasts.set(toasts.get().filter((one) => one !== toast)), shownMs);
};

export const Toasts = () => (
  <div className={styles.toasts} role="status">
    {useStore(toasts).map(({ id, text }) => (
      <p key={id} className={styles.toast}>
        <Icon name="check" />
        {text}
      </p>
    ))}
  </div>
);
