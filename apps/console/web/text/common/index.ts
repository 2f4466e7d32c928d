import type { Texts } from '../language.tsx';
import { type CommonTexts, commonEn } from './en.ts';
import { commonEs } from './es.ts';
import { commonPt } from './pt.ts';

export const commonTexts: Texts<CommonTexts> = { en: commonEn, es: commonEs, pt: commonPt };
