import type { Texts } from '../../../text/language.tsx';
import { pagesEn, type PagesTexts } from './en.ts';
import { pagesEs } from './es.ts';
import { pagesPt } from './pt.ts';

export const pagesTexts: Texts<PagesTexts> = { en: pagesEn, es: pagesEs, pt: pagesPt };
