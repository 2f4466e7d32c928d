import type { Texts } from '../../../text/language.tsx';
import { qualityEn, type QualityTexts } from './en.ts';
import { qualityEs } from './es.ts';
import { qualityPt } from './pt.ts';

export const qualityTexts: Texts<QualityTexts> = { en: qualityEn, es: qualityEs, pt: qualityPt };
