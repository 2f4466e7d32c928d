import type { Texts } from '../../../../text/language.tsx';
import { logEn, type LogTexts } from './en.ts';
import { logEs } from './es.ts';
import { logPt } from './pt.ts';

export const logTexts: Texts<LogTexts> = { en: logEn, es: logEs, pt: logPt };
