import type { Texts } from '../../../text/language.tsx';
import { type InvitationTexts, invitationEn } from './en.ts';
import { invitationEs } from './es.ts';
import { invitationPt } from './pt.ts';

export const invitationTexts: Texts<InvitationTexts> = { en: invitationEn, es: invitationEs, pt: invitationPt };
