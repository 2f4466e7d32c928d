/**
 * What a landing page asks visitors to agree to. sharing: that the platforms learn of them at all. personalisation: that
 * the platforms use what they learn for more than counting.
 */
export const consentScopes = ['sharing', 'personalisation'] as const;
export type ConsentScope = (typeof consentScopes)[number];

/** What a visitor has said about their data. */
export interface PrivacyChoices {
  /** null: the page did not ask. */
  readonly consent: boolean | null;
  readonly consentScope: ConsentScope | null;
  /** The browser asks that what it sends be neither sold nor shared (https://www.w3.org/TR/gpc). */
  readonly globalPrivacyControl: boolean;
}

/**
 * What platforms may be told of a lead. refused: nothing. limited: for counting, marked in each platform's own way.
 * granted: the visitor agreed. unasked: nobody asked, and the browser said nothing.
 */
export type Sharing = 'refused' | 'limited' | 'granted' | 'unasked';

export const sharingOf = ({ consent, consentScope, globalPrivacyControl }: PrivacyChoices): Sharing => {
  if (consent === false && consentScope !== 'personalisation') return 'refused';
  if (consent === false || globalPrivacyControl) return 'limited';
  return consent === null ? 'unasked' : 'granted';
};
