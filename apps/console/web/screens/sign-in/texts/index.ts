import type { Texts } from '../../../text/language.tsx';
import { type SignInTexts, signInEn } from './en.ts';
import { signInEs } from './es.ts';
import { signInPt } from './pt.ts';

export const signInTexts: Texts<SignInTexts> = { en: signInEn, es: signInEs, pt: signInPt };
