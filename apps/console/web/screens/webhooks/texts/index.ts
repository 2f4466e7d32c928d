import type { Texts } from '../../../text/language.tsx';
import { webhooksEn, type WebhooksTexts } from './en.ts';
import { webhooksEs } from './es.ts';
import { webhooksPt } from './pt.ts';

export const webhooksTexts: Texts<WebhooksTexts> = { en: webhooksEn, es: webhooksEs, pt: webhooksPt };
