import { createStore, useStore } from '../store.ts';
import { Icon } from './icon.tsx';
import styles from './frame.module.css';

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: ToastAction | undefined;
}

// time to find and read a sentence in a second language
const shownMs = 10_000;
const withActionMs = 20_000;
const toasts = createStore<readonly Toast[]>([]);
let ids = 0;

const hide = (id: number) => toasts.set(toasts.get().filter((one) => one.id !== id));

/**
 * Says for some seconds that something was done. What must not be missed belongs on the page. `action`: undoes it; it is
 * shown for longer.
 */
export const showToast = (text: string, action?: ToastAction): void => {
  ids += 1;
  const id = ids;
  toasts.set([...toasts.get(), { id, text, action }]);
  setTimeout(() => hide(id), action ? withActionMs : shownMs);
};

export const Toasts = () => (
  <div className={styles.toasts} role="status">
    {useStore(toasts).map(({ id, text, action }) => (
      <p key={id} className={styles.toast}>
        <Icon name="check" />
        {text}
        {action && (
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              hide(id);
              action.run();
            }}
          >
            {action.label}
          </button>
        )}
      </p>
    ))}
  </div>
);
