import type { Texts } from '../../../text/language.tsx';
import { type OverviewTexts, overviewEn } from './en.ts';
import { overviewEs } from './es.ts';
import { overviewPt } from './pt.ts';

export const overviewTexts: Texts<OverviewTexts> = { en: overviewEn, es: overviewEs, pt: overviewPt };
