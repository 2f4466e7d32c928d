import { useEffect, useState } from 'react';
import type { Receipt } from '../../../src/contract/erasures.ts';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import { erasureTexts } from './texts/index.ts';

const isAnyone = ({ clients, leads, importedRows, listedRows }: Receipt): boolean =>
  clients + leads + importedRows + listedRows > 0;

/**
 * Says once when an erasure is done that was started here. Returns what to call with its id: a fast one may never have been
 * in the list as pending, and its receipt may be there before the reply to its start.
 */
export const useDoneToast = (receipts: readonly Receipt[]): ((id: string) => void) => {
  const texts = useTexts(erasureTexts);
  const [awaited, setAwaited] = useState<readonly string[]>([]);
  useEffect(() => {
    const done = receipts.find(({ id }) => awaited.includes(id));
    if (!done) return;
    showToast(isAnyone(done) ? texts.doneToast : texts.nobodyToast);
    setAwaited((ids) => ids.filter((id) => id !== done.id));
  }, [awaited, receipts, texts]);
  return (id) => setAwaited((ids) => [...ids, id]);
};
