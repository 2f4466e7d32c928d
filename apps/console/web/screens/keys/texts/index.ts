import type { Texts } from '../../../text/language.tsx';
import { type KeysTexts, keysEn } from './en.ts';
import { keysEs } from './es.ts';
import { keysPt } from './pt.ts';

export const keysTexts: Texts<KeysTexts> = { en: keysEn, es: keysEs, pt: keysPt };
