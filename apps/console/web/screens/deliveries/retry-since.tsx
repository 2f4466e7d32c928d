import { lazy, Suspense } from 'react';
import type { Delivery } from '../../../src/contract/deliveries.ts';
import { useTexts } from '../../text/language.tsx';
import { undeliveredTexts } from '../undelivered/texts.ts';

const RetryDialog = lazy(async () => ({ default: (await import('../undelivered/retry-dialog.tsx')).RetryDialog }));

interface RetrySinceProps {
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

/** Retries what a connection did not deliver from a delivery on: what somebody wants after a failure that is over. */
export const RetrySince = ({ delivery: { id, connectionId }, onClose }: RetrySinceProps) => {
  const texts = useTexts(undeliveredTexts);
  return (
    <Suspense>
      <RetryDialog scope={texts.since(connectionId, id)} filter={{ connectionId, since: id }} onClose={onClose} />
    </Suspense>
  );
};
