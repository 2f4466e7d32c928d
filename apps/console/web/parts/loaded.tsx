import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import { useFormat } from '../text/use-format.ts';
import { Button } from './button.tsx';
import { Failure } from './failure.tsx';
import styles from './parts.module.css';
import { Skeleton } from './skeleton.tsx';

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
