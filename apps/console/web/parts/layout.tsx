import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonTexts } from '../text/common.ts';
import { useFormat, useTexts } from '../text/language.tsx';
import { Button } from './button.tsx';
import { Failure } from './notices.tsx';
import styles from './parts.module.css';

/** The class of a link that leads back to the list, with the icon `left`. */
export const backLook = styles.back;

interface CardProps {
  readonly title?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export const Card = ({ title, tools, children }: CardProps) => (
  <section className={styles.card}>
    {(title !== undefined || tools !== undefined) && (
      <header className={styles.head}>
        {title !== undefined && <h2>{title}</h2>}
        {tools}
      </header>
    )}
    {children}
  </section>
);

/** Fields and paragraphs of a dialog, below each other. */
export const Stack = ({ children }: { readonly children: ReactNode }) => <div className={styles.stack}>{children}</div>;

/** Grey lines in place of content. They appear after 200 ms, so that quick responses do not flicker. */
export const Skeleton = ({ lines = 5 }: { readonly lines?: number }) => {
  const { loading } = useTexts(commonTexts);
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
};

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly lines?: number;
  /** The error is that of a further page, and shown where that page would be. */
  readonly isErrorElsewhere?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** Content, or what stands in for it. Old data stay visible, with their age, if the server does not respond. */
export const Loaded = <Data,>({ query, lines = 5, isErrorElsewhere = false, children }: LoadedProps<Data>) => {
  const texts = useTexts(commonTexts);
  const format = useFormat();
  const { data, error, dataUpdatedAt, errorUpdatedAt } = query;
  const retry = () => void query.refetch();
  if (data === undefined) {
    return error ? <Failure error={error} onRetry={retry} /> : <Skeleton lines={lines} />;
  }
  return (
    <>
      {error && !isErrorElsewhere && (
        <div className={styles.old} role="status">
          <span>{texts.ageOfData(format.ago(new Date(dataUpdatedAt).toISOString(), errorUpdatedAt))}</span>
          <Button icon="retry" onClick={retry}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
      {children(data)}
    </>
  );
};

interface ScreenHeadProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children?: ReactNode;
}

/** The title of a screen, also of the browser's tab, and its controls. */
export const ScreenHead = ({ title, intro, children }: ScreenHeadProps) => (
  <header className={styles.screenHead}>
    <title>{`${title} · Leadback`}</title>
    <div className={styles.screenHeadTitle}>
      <h1>{title}</h1>
      {intro !== undefined && <p>{intro}</p>}
    </div>
    {children}
  </header>
);
