import type { Texts } from '../../text/language.tsx';
import { type FilesTexts, filesEn } from './en.ts';
import { filesEs } from './es.ts';
import { filesPt } from './pt.ts';

export const filesTexts: Texts<FilesTexts> = { en: filesEn, es: filesEs, pt: filesPt };
