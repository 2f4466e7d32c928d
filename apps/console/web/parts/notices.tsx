import type { ReactNode } from 'react';
import { ApiError, errorText } from '../api.ts';
import { createStore, useStore } from '../state.ts';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import { Button, Icon, type IconName } from './button.tsx';
import styles from './frame.module.css';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** h1: it is all that the page says. */
  readonly heading?: 'h1' | 'h2';
  /** Why there is nothing, and the next step. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export const Empty = ({ icon, title, heading: Heading = 'h2', children, action }: EmptyProps) => (
  <div className={styles.empty}>
    <span className={styles.emptyIcon}>
      <Icon name={icon} />
    </span>
    <Heading className={styles.emptyTitle}>{title}</Heading>
    <p>{children}</p>
    {action}
  </div>
);

interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** What went wrong, the request id for support, and a way to try again. */
export const Failure = ({ error, onRetry }: FailureProps) => {
  const texts = useTexts(commonTexts);
  const isRefused = error instanceof ApiError && error.is('role-forbids');
  const requestId = error instanceof ApiError && !isRefused ? error.requestId : undefined;
  return (
    <div className={styles.failure} role="alert">
      <div className={styles.failureText}>
        <p>{errorText(error, texts)}</p>
        {requestId !== undefined && (
          <p className="small">
            {texts.requestId}: <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry && !isRefused && (
        <Button icon="retry" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
};

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
