import type { Texts } from '../../../text/language.tsx';
import { type SecurityTexts, securityEn } from './en.ts';
import { securityEs } from './es.ts';
import { securityPt } from './pt.ts';

export const securityTexts: Texts<SecurityTexts> = { en: securityEn, es: securityEs, pt: securityPt };
