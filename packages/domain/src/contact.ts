import { emailAddressOf } from './fields.ts';

/**
 * What a landing page asks visitors to agree to. sharing: that platforms receive their data. personalisation: that
 * platforms use the data for more than counting.
 */
export const consentScopes = ['sharing', 'personalisation'] as const;
export type ConsentScope = (typeof consentScopes)[number];

/**
 * How an account treats Global Privacy Control. respect: as a refusal to share, as under the CCPA. measure: as a
 * refusal of personalisation only, for accounts whose legal basis covers measurement.
 */
export const gpcReadings = ['respect', 'measure'] as const;
export type GpcReading = (typeof gpcReadings)[number];

/** The choices of a visitor, and the account's treatment of Global Privacy Control. */
interface PrivacyChoices {
  /** null: the page did not ask. */
  readonly consent: boolean | null;
  readonly consentScope: ConsentScope | null;
  /** The browser requests that data is neither sold nor shared (https://www.w3.org/TR/gpc). */
  readonly globalPrivacyControl: boolean;
  readonly gpcReading: GpcReading;
  /** Whether the visitor has withdrawn consent since. */
  readonly isWithdrawn: boolean;
}

/**
 * What may be shared with platforms. withdrawn: nothing, and nothing more. refused: nothing. opted_out: Global Privacy Control; only with platforms that can
 * mark an event as opted out. unpersonalised: for counting, marked as each platform requires. agreed_unpersonalised:
 * the same, but the visitor agreed to sharing. granted: the visitor agreed. unasked: the page did not ask, and the
 * browser sent no signal.
 */
export const sharings = [
  'withdrawn',
  'refused',
  'opted_out',
  'unpersonalised',
  'agreed_unpersonalised',
  'granted',
  'unasked',
] as const;
export type Sharing = (typeof sharings)[number];

/** The reason of deliveries that are skipped because the visitor has withdrawn consent. */
export const consentWithdrawn = 'consent_withdrawn';

/** Whether the visitor agreed to sharing, if only for counting. */
const isAgreed = (sharing: Sharing): boolean => sharing === 'granted' || sharing === 'agreed_unpersonalised';

/** Whether platforms may only count the event. */
export const isLimited = (sharing: Sharing): boolean =>
  sharing === 'opted_out' || sharing === 'unpersonalised' || sharing === 'agreed_unpersonalised';

export const sharingOf = (choices: PrivacyChoices): Sharing => {
  const { consent, consentScope, globalPrivacyControl, gpcReading, isWithdrawn } = choices;
  if (isWithdrawn) return 'withdrawn';
  if (consent === false && consentScope !== 'personalisation') return 'refused';
  if (globalPrivacyControl && gpcReading === 'respect') return 'opted_out';
  if (globalPrivacyControl && consent) return 'agreed_unpersonalised';
  if (consent === false || globalPrivacyControl) return 'unpersonalised';
  return consent === null ? 'unasked' : 'granted';
};

/** As entered, not normalised. */
export interface Contact {
  readonly name: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
}

/**
 * The contact data that platforms may match a client by: what the partner registered, and for missing fields what the
 * visitor entered on the landing page, if the visitor agreed to sharing.
 */
export const contactToShare = (client: Contact, lead: Contact, sharing: Sharing): Contact => {
  const entered = isAgreed(sharing) ? lead : undefined;
  return {
    name: client.name ?? entered?.name ?? null,
    email: emailAddressOf(client.email) ?? emailAddressOf(entered?.email) ?? null,
    phoneNumber: client.phoneNumber ?? entered?.phoneNumber ?? null,
  };
};

const digitsCompared = 10;
const digitsMin = 7;

/**
 * What two ways of writing one phone number have in common: its last ten digits, without the prefixes of countries and
 * trunks. Undefined for fewer than seven digits.
 */
export const phoneKey = (phoneNumber: string): string | undefined => {
  const digits = phoneNumber.replaceAll(/\D/g, '');
  return digits.length < digitsMin ? undefined : digits.slice(-digitsCompared);
};

// E.164 allows fewer, but no phone number that somebody answers has them
const digitsOfPhone = 7;

/** Whether a partner's reference could be an email or a phone number. It may be a long order number as well. */
export const looksPersonal = (reference: string): boolean =>
  reference.includes('@') || reference.replaceAll(/\P{Nd}/gu, '').length >= digitsOfPhone;
