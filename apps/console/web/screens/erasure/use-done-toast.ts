import { useEffect, useRef, useState } from 'react';
import type { Receipt } from '../../../src/contract/erasures.ts';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import { erasureTexts } from './texts.ts';

const isAnyone = ({ clients, leads, importedRows, listedRows }: Receipt): boolean =>
  clients + leads + importedRows + listedRows > 0;

/**
 * Says once when an erasure is done that was started here. Returns what to call with its id: a fast one may never have been
 * in the list as pending, and its receipt may be there before the reply to its start.
 */
export const useDoneToast = (receipts: readonly Receipt[]): ((id: string) => void) => {
  const texts = useTexts(erasureTexts);
  const [started, setStarted] = useState<readonly string[]>([]);
  const told = useRef(new Set<string>());
  useEffect(() => {
    const done = receipts.find(({ id }) => started.includes(id) && !told.current.has(id));
    if (!done) return;
    told.current.add(done.id);
    showToast(isAnyone(done) ? texts.doneToast : texts.nobodyToast);
  }, [started, receipts, texts]);
  return (id) => setStarted((ids) => [...ids, id]);
};
