import { ApiError } from '../api/api-error.ts';
import { errorText } from '../api/error-text.ts';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import { Button } from './button.tsx';
import styles from './frame.module.css';

interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** What went wrong, the request id for support, and a way to try again. */
export const Failure = ({ error, onRetry }: FailureProps) => {
  const texts = useTexts(commonTexts);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className={styles.failure} role="alert">
      <div className={styles.failureText}>
        <p>{errorText(error, texts)}</p>
        {requestId !== undefined && (
          <p className={styles.id}>
            {texts.requestId}: <code>{requestId}</code>
          </p>
        )}
      </div>
      {onRetry && (
        <Button icon="retry" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
};
