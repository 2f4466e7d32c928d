import type { Texts } from '../../text/language.tsx';
import { type ShellTexts, shellEn } from './en.ts';
import { shellEs } from './es.ts';
import { shellPt } from './pt.ts';

export const shellTexts: Texts<ShellTexts> = { en: shellEn, es: shellEs, pt: shellPt };
