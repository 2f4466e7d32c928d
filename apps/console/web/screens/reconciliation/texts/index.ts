import type { Texts } from '../../../text/language.tsx';
import { type ReconciliationTexts, reconciliationEn } from './en.ts';
import { reconciliationEs } from './es.ts';
import { reconciliationPt } from './pt.ts';

export const reconciliationTexts: Texts<ReconciliationTexts> = {
  en: reconciliationEn,
  es: reconciliationEs,
  pt: reconciliationPt,
};
