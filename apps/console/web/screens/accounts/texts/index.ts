import type { Texts } from '../../../text/language.tsx';
import { type AccountsTexts, accountsEn } from './en.ts';
import { accountsEs } from './es.ts';
import { accountsPt } from './pt.ts';

export const accountsTexts: Texts<AccountsTexts> = { en: accountsEn, es: accountsEs, pt: accountsPt };
