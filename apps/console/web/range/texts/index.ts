import type { Texts } from '../../text/language.tsx';
import { type RangeTexts, rangeEn } from './en.ts';
import { rangeEs } from './es.ts';
import { rangePt } from './pt.ts';

export const rangeTexts: Texts<RangeTexts> = { en: rangeEn, es: rangeEs, pt: rangePt };
