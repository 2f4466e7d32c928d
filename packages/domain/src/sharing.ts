/**
 * What a landing page asks visitors to agree to. sharing: that the platforms learn of them at all. personalisation: that
 * the platforms use what they learn for more than counting.
 */
export const consentScopes = ['sharing', 'personalisation'] as const;
export type ConsentScope = (typeof consentScopes)[number];

/**
 * How an account reads Global Privacy Control. respect: as a refusal to share, as under the CCPA. measure: as a refusal of
 * personalisation alone, for accounts whose legal basis covers measurement.
 */
export const gpcReadings = ['respect', 'measure'] as const;
export type GpcReading = (typeof gpcReadings)[number];

/** What a visitor has said about their data, and how their account reads it. */
export interface PrivacyChoices {
  /** null: the page did not ask. */
  readonly consent: boolean | null;
  readonly consentScope: ConsentScope | null;
  /** The browser asks that what it sends be neither sold nor shared (https://www.w3.org/TR/gpc). */
  readonly globalPrivacyControl: boolean;
  readonly gpcReading: GpcReading;
}

/**
 * What platforms may be told of a lead. refused: nothing. opted_out: Global Privacy Control; a platform that cannot mark
 * an event as such is not told. unpersonalised: for counting, marked in each platform's own way. agreed_unpersonalised:
 * the same, but the visitor agreed to sharing. granted: the visitor agreed. unasked: nobody asked, and the browser said
 * nothing.
 */
export type Sharing = 'refused' | 'opted_out' | 'unpersonalised' | 'agreed_unpersonalised' | 'granted' | 'unasked';

/** Whether the visitor agreed that platforms learn of them, if only for counting. */
export const isAgreed = (sharing: Sharing): boolean => sharing === 'granted' || sharing === 'agreed_unpersonalised';

/** Whether platforms are asked to use an event for counting alone. */
export const isLimited = (sharing: Sharing): boolean =>
  sharing === 'opted_out' || sharing === 'unpersonalised' || sharing === 'agreed_unpersonalised';

export const sharingOf = ({ consent, consentScope, globalPrivacyControl, gpcReading }: PrivacyChoices): Sharing => {
  if (consent === false && consentScope !== 'personalisation') return 'refused';
  if (globalPrivacyControl && gpcReading === 'respect') return 'opted_out';
  if (globalPrivacyControl && consent) return 'agreed_unpersonalised';
  if (consent === false || globalPrivacyControl) return 'unpersonalised';
  return consent === null ? 'unasked' : 'granted';
};
