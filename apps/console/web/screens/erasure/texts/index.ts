import type { Texts } from '../../../text/language.tsx';
import { type ErasureTexts, erasureEn } from './en.ts';
import { erasureEs } from './es.ts';
import { erasurePt } from './pt.ts';

export const erasureTexts: Texts<ErasureTexts> = { en: erasureEn, es: erasureEs, pt: erasurePt };
