import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { errorText } from '../api/error-text.ts';
import { Button } from '../parts/button.tsx';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import { Notice } from './notice.tsx';

/** Instead of a screen that cannot be shown: its first request failed, or a new version has replaced its files. */
export const Crash = ({ error, reset }: ErrorComponentProps) => {
  const texts = useTexts(commonTexts);
  const router = useRouter();
  const retry = () => {
    // files of the version before are no longer served; the page itself names the current ones
    if (!(error instanceof ApiError)) return location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <Notice
      title={texts.failed}
      text={error instanceof Error ? errorText(error, texts) : texts.unexpected}
      action={
        <Button icon="retry" onClick={retry}>
          {texts.tryAgain}
        </Button>
      }
    />
  );
};
