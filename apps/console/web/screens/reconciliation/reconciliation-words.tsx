import type { ReconciliationItem } from '../../../src/contract/reconciliations.ts';
import files from '../../files/style.module.css';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { reconciliationTexts } from './texts.ts';

const tones: Readonly<Record<ReconciliationItem['state'], Tone>> = {
  pending: 'plain',
  running: 'accent',
  done: 'good',
  failed: 'bad',
};

export const ListBadges = ({ item: { state, isTest } }: { readonly item: ReconciliationItem }) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(reconciliationTexts);
  return (
    <span className={files.badges}>
      <Badge tone={tones[state]}>{texts.states[state]}</Badge>
      {isTest && <Badge tone="accent">{common.test}</Badge>}
    </span>
  );
};

export const useListName = (): ((item: Pick<ReconciliationItem, 'id' | 'fileName'>) => string) => {
  const texts = useTexts(reconciliationTexts);
  return ({ id, fileName }) => fileName ?? texts.name(id);
};

const isMidnight = (iso: string) => iso.endsWith('T00:00:00.000Z');

/** The days of a list; a partner may have sent times. */
export const usePeriod = (): ((item: Pick<ReconciliationItem, 'from' | 'until'>) => string) => {
  const format = useFormat();
  return ({ from, until }) => {
    if (!isMidnight(from) || !isMidnight(until)) return `${format.time(from)} – ${format.time(until)}`;
    const last = new Date(Date.parse(until) - 1).toISOString();
    return from.slice(0, 10) === last.slice(0, 10)
      ? format.dayWithYear(from)
      : `${format.day(from)} – ${format.dayWithYear(last)}`;
  };
};
