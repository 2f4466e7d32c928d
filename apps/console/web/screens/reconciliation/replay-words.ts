import type { Replay } from '../../../src/contract/reconciliations.ts';
import { filesTexts } from '../../files/texts.ts';
import { platformTitles } from '../../parts/platform.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { reconciliationTexts } from './texts.ts';

/** `31 · USD 1,204`: what a replay registers. */
export const useReplayWords = (): ((replay: Replay) => string) => {
  const format = useFormat();
  return ({ counts, money }) =>
    [format.count(counts.created), ...money.map(({ amount, currency }) => format.money(amount, currency))].join(' · ');
};

/** What a person should know about the rows that are registered. */
export const useReplayNotices = (): ((replay: Replay) => readonly string[]) => {
  const texts = useTexts(reconciliationTexts);
  const files = useTexts(filesTexts);
  const format = useFormat();
  return ({ tooOld, withoutTime }) => [
    ...tooOld.map(({ platform, rows }) => files.tooOld(format.count(rows), platformTitles[platform])),
    ...(withoutTime > 0 ? [texts.withoutTime(format.count(withoutTime))] : []),
  ];
};
