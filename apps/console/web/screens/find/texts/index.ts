import type { Texts } from '../../../text/language.tsx';
import { type FindTexts, findEn } from './en.ts';
import { findEs } from './es.ts';
import { findPt } from './pt.ts';

export const findTexts: Texts<FindTexts> = { en: findEn, es: findEs, pt: findPt };
