import type { Language } from '../landing-page.ts';
import type { FailReason, ReasonText, ReasonTexts } from './text.ts';
import { english } from './texts-en.ts';
import { spanish } from './texts-es.ts';
import { portuguese } from './texts-pt.ts';

export type { ReasonText, WaitReason } from './text.ts';

export const reasonTexts: Readonly<Record<Language, ReasonTexts>> = {
  en: english,
  es: spanish,
  pt: portuguese,
};

/** Google's codes that mean the same as another. */
export const sameAs: Readonly<Record<string, FailReason>> = {
  OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER: 'INVALID_OPERATING_ACCOUNT_FOR_CLICK',
  INVALID_GBRAID: 'INVALID_GCLID',
  INVALID_WBRAID: 'INVALID_GCLID',
  INVALID_CLICK: 'INVALID_GCLID',
  UNKNOWN_CONSENT: 'DENIED_CONSENT',
};

/** The text of a reason, by its code; undefined if only the platform's words say what it is. */
export const reasonText = (language: Language, code: string): ReasonText | undefined => {
  const texts: Readonly<Record<string, ReasonText>> = reasonTexts[language];
  const named = Object.hasOwn(sameAs, code) ? (sameAs[code] ?? code) : code;
  return Object.hasOwn(texts, named) ? texts[named] : undefined;
};

/** What a reason means for a platform that accepts events up to this age in days. */
export const reasonMeaning = ({ meaning }: ReasonText, eventDaysMax: number): string | undefined =>
  typeof meaning === 'function' ? meaning(eventDaysMax) : meaning;
