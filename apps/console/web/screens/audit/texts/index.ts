import type { Texts } from '../../../text/language.tsx';
import { type AuditTexts, auditEn } from './en.ts';
import { auditEs } from './es.ts';
import { auditPt } from './pt.ts';

export const auditTexts: Texts<AuditTexts> = { en: auditEn, es: auditEs, pt: auditPt };
