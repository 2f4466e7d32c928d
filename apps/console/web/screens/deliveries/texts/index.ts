import type { Texts } from '../../../text/language.tsx';
import { type DeliveriesTexts, deliveriesEn } from './en.ts';
import { deliveriesEs } from './es.ts';
import { deliveriesPt } from './pt.ts';

export const deliveriesTexts: Texts<DeliveriesTexts> = { en: deliveriesEn, es: deliveriesEs, pt: deliveriesPt };
