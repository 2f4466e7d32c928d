import { eventAgeMaxMs, type MatchKey, matchKeysOf, type PlatformName, platformNames } from '@leadback/domain';
import { phoneNumberInE164 } from '@leadback/platforms/phone-number';
import { adviceTexts, type MatchFacts } from '@leadback/reports';
import { z } from 'zod';

/** The field of responses to test keys. */
export const warnings = z.array(z.string()).optional().meta({
  description:
    'Only with a test key: what you can change so that platforms match more conversions, that you can retry safely, or that no email is in a reference. Empty if there is nothing.',
});

const safeRetry =
  'Send `conversionExternalReference` or an `Idempotency-Key`, so that you can retry safely if a response is lost.';

const unreadablePhone = (country: string) =>
  `\`phoneNumber\` is not a valid number of your account's country (${country}): send it with its country code, such as +54 11 2345-6789.`;

/** References that are an email, by the name of their field. */
export const referenceWarnings = (references: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(references).flatMap(([field, reference]) =>
    reference?.includes('@') === true
      ? [`\`${field}\` is an email. More people see references than emails: send an id of yours.`]
      : [],
  );

/** What would help these platforms to match a client. */
const keyWarnings = (facts: MatchFacts, platforms: readonly PlatformName[]): string[] => {
  const { contact, hasReference, clickIds, country } = facts;
  const taken = new Set(platforms.flatMap((name) => matchKeysOf(name)));
  const takes = (key: MatchKey) => taken.has(key);
  const { email, phoneNumber } = contact;
  const isReadable = phoneNumber === null || phoneNumberInE164(phoneNumber, country) !== undefined;
  const takenClicks: ReadonlySet<string> = taken;
  return [
    ...(email === null && takes('email') ? [adviceTexts.email] : []),
    ...(phoneNumber === null && takes('phone') ? [adviceTexts.phone] : []),
    ...(isReadable || !takes('phone') ? [] : [unreadablePhone(country)]),
    ...(hasReference || !takes('externalId') ? [] : [adviceTexts.externalId]),
    ...(clickIds.some((name) => takenClicks.has(name)) ? [] : [adviceTexts.click]),
  ];
};

/**
 * What would help the platforms of the account to be told of a client's conversion, or of a conversion, and to match it:
 * advice as in the quality report.
 */
export const clientWarnings = (facts: MatchFacts): string[] => {
  const platforms = facts.platforms.length > 0 ? facts.platforms : platformNames;
  if (facts.sharing === 'refused') return [adviceTexts.consent];
  const told = platforms.filter((name) => facts.ageMs === null || facts.ageMs <= eventAgeMaxMs(name));
  return [
    ...(told.length < platforms.length ? [adviceTexts.time] : []),
    ...(told.length > 0 ? keyWarnings(facts, told) : []),
  ];
};

/** The same for a conversion. `isRetrySafe`: whether a repeat of the request would be recognised. */
export const conversionWarnings = (facts: MatchFacts, isRetrySafe: boolean): string[] => [
  ...(isRetrySafe ? [] : [safeRetry]),
  ...clientWarnings(facts),
];
