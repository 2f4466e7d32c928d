import type { Texts } from '../../../text/language.tsx';
import { type ImportsTexts, importsEn } from './en.ts';
import { importsEs } from './es.ts';
import { importsPt } from './pt.ts';

export const importsTexts: Texts<ImportsTexts> = { en: importsEn, es: importsEs, pt: importsPt };
