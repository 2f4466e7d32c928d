import type { Texts } from '../../../text/language.tsx';
import { fieldsEn } from './en.ts';
import { fieldsEs } from './es.ts';
import type { FieldTexts } from './field-text.ts';
import { fieldsPt } from './pt.ts';

export const fieldTexts: Texts<FieldTexts> = { en: fieldsEn, es: fieldsEs, pt: fieldsPt };
