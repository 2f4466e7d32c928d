import { z } from 'zod';
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

const consentWord = (description: string) =>
  z
    .preprocess(
      (sent) => (typeof sent === 'string' ? sent.trim().toLowerCase() : sent),
      z.enum(['granted', 'denied'], 'expected granted or denied'),
    )
    .nullish()
    .meta({ description });

/** What a person told the advertiser, in the terms of Google's consent mode. A field that is not sent says nothing. */
export const consentSchema = z
  .object(
    {
      adUserData: consentWord('Whether data of the person may be sent to advertising platforms.'),
      adPersonalization: consentWord('Whether platforms may use it for personalised advertising.'),
    },
    'expected an object such as {"adUserData": "granted"}',
  )
  .nullish();

/** True: granted. Undefined: nothing was said. */
export interface ConsentWords {
  readonly adUserData?: boolean | undefined;
  readonly adPersonalization?: boolean | undefined;
}

const isGranted = (word: 'granted' | 'denied' | null | undefined): boolean | undefined =>
  typeof word === 'string' ? word === 'granted' : undefined;

export const consentWordsOf = (sent: z.output<typeof consentSchema>): ConsentWords => ({
  adUserData: isGranted(sent?.adUserData),
  adPersonalization: isGranted(sent?.adPersonalization),
});

/** What the advertiser has told of a client last. Times are milliseconds since 1970. Null: nothing. */
export interface ToldConsent {
  readonly adUserData: boolean | null;
  readonly adUserDataMs: number | null;
  readonly adPersonalization: boolean | null;
  readonly adPersonalizationMs: number | null;
}

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
  /** When the visitor chose `consent`, in milliseconds since 1970. */
  readonly consentMs?: number | null;
  readonly told?: ToldConsent | null;
  /** When the event that platforms are told of was registered, in milliseconds since 1970. Default: after all that was told. */
  readonly registeredMs?: number;
}

/**
 * What may be shared with platforms. withdrawn: nothing, and nothing more, by the visitor or by what the advertiser told after the event. refused: nothing. opted_out: Global Privacy Control; only with platforms that can
 * mark an event as opted out. unpersonalised: for counting, marked as each platform requires. agreed_unpersonalised:
 * the same, but the visitor agreed to sharing. agreed: to sharing; nothing is known of personalisation. granted: the visitor
 * agreed. unasked: the page did not ask, and the browser sent no signal.
 */
export const sharings = [
  'withdrawn',
  'refused',
  'opted_out',
  'unpersonalised',
  'agreed_unpersonalised',
  'agreed',
  'granted',
  'unasked',
] as const;
export type Sharing = (typeof sharings)[number];

/** The reason of deliveries that are skipped because consent was withdrawn. */
export const consentWithdrawn = 'consent_withdrawn';

/** Whether the visitor agreed to sharing, if only for counting. */
const isAgreed = (sharing: Sharing): boolean =>
  sharing === 'granted' || sharing === 'agreed' || sharing === 'agreed_unpersonalised';

/** Whether platforms may only count the event. */
export const isLimited = (sharing: Sharing): boolean =>
  sharing === 'opted_out' || sharing === 'unpersonalised' || sharing === 'agreed_unpersonalised';

interface Word {
  readonly isGranted: boolean | null;
  readonly atMs: number | null;
}

const newest = (said: Word, told: Word): Word =>
  told.isGranted !== null && (said.isGranted === null || (told.atMs ?? 0) >= (said.atMs ?? 0)) ? told : said;

/**
 * The newest word of each kind counts, whether the visitor said it on a landing page or the advertiser told it; silence takes
 * nothing back. What a visitor withdraws, and Global Privacy Control, no advertiser can change.
 */
export const sharingOf = (choices: PrivacyChoices): Sharing => {
  const { consent, consentScope, consentMs: atMs = null, globalPrivacyControl, gpcReading, isWithdrawn } = choices;
  const { told, registeredMs = Infinity } = choices;
  if (isWithdrawn) return 'withdrawn';
  const isSilent = consent === false && consentScope === 'personalisation';
  const toldSharing: Word = { isGranted: told?.adUserData ?? null, atMs: told?.adUserDataMs ?? null };
  const sharing = newest({ isGranted: isSilent ? null : consent, atMs }, toldSharing);
  if (sharing.isGranted === false) {
    return sharing === toldSharing && (sharing.atMs ?? 0) > registeredMs ? 'withdrawn' : 'refused';
  }
  if (globalPrivacyControl && gpcReading === 'respect') return 'opted_out';
  const personalisation = newest(
    { isGranted: consent, atMs },
    { isGranted: told?.adPersonalization ?? null, atMs: told?.adPersonalizationMs ?? null },
  );
  if (globalPrivacyControl || personalisation.isGranted === false) {
    return sharing.isGranted ? 'agreed_unpersonalised' : 'unpersonalised';
  }
  if (!sharing.isGranted) return 'unasked';
  return personalisation.isGranted ? 'granted' : 'agreed';
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
