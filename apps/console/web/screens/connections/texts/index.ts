import type { Texts } from '../../../text/language.tsx';
import type { ConnectionTexts } from './connection-texts.ts';
import { connectionEn } from './en.ts';
import { connectionEs } from './es.ts';
import { connectionPt } from './pt.ts';

export const connectionTexts: Texts<ConnectionTexts> = { en: connectionEn, es: connectionEs, pt: connectionPt };
