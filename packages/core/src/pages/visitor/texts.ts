import type { Language } from '@leadback/domain';
import { visitorEn } from './texts-en.ts';
import { visitorEs } from './texts-es.ts';
import { visitorPt } from './texts-pt.ts';
import type { VisitorTexts } from './visitor-texts.ts';

export const visitorTexts: Readonly<Record<Language, VisitorTexts>> = { en: visitorEn, es: visitorEs, pt: visitorPt };
