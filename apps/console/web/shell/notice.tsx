import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, errorText } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/notices.tsx';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import { useSignOut } from './menus.tsx';
import styles from './style.module.css';
import { shellTexts } from './texts.ts';

export const Brand = () => (
  <span className={styles.wordmark}>
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M22 9v6a5 5 0 0 1-5 5h-6m4-5-5 5 5 5" />
    </svg>
    Leadback
  </span>
);

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** A page with only a title, a text and the next step. */
const Notice = ({ title, text, action }: NoticeProps) => (
  <main className={styles.notice}>
    <title>{`${title} · Leadback`}</title>
    <Brand />
    <Empty icon="inbox" heading="h1" title={title} action={action}>
      {text}
    </Empty>
  </main>
);

export const NotFound = () => {
  const texts = useTexts(commonTexts);
  return <Notice title={texts.notFound} text={texts.notFoundText} action={<Link to="/">{texts.toOverview}</Link>} />;
};

export const NoAccount = () => {
  const texts = useTexts(shellTexts);
  const signOut = useSignOut();
  return (
    <Notice
      title={texts.noAccount}
      text={texts.noAccountText}
      action={<Button onClick={() => void signOut()}>{texts.signOut}</Button>}
    />
  );
};

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
