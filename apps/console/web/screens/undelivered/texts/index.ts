import type { Texts } from '../../../text/language.tsx';
import { type UndeliveredTexts, undeliveredEn } from './en.ts';
import { undeliveredEs } from './es.ts';
import { undeliveredPt } from './pt.ts';

export const undeliveredTexts: Texts<UndeliveredTexts> = {
  en: undeliveredEn,
  es: undeliveredEs,
  pt: undeliveredPt,
};
