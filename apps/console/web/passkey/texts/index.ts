import type { Texts } from '../../text/language.tsx';
import { type PasskeyTexts, passkeyEn } from './en.ts';
import { passkeyEs } from './es.ts';
import { passkeyPt } from './pt.ts';

export const passkeyTexts: Texts<PasskeyTexts> = { en: passkeyEn, es: passkeyEs, pt: passkeyPt };
