import { type MatchKey, matchKeysOf, platformNames } from '@leadback/domain';
import { phoneNumberInE164 } from '@leadback/platforms/phone-number';
import { adviceTexts, type MatchFacts } from '@leadback/reports';
import { z } from 'zod';

/** The field of responses to test keys. */
export const warnings = z.array(z.string()).optional().meta({
  description:
    'Only with a test key: what you can change so that platforms match more conversions, or that you can retry safely. Empty if there is nothing.',
});

const safeRetry =
  'Send `conversionExternalReference` or an `Idempotency-Key`, so that you can retry safely if a response is lost.';

const unreadablePhone = (country: string) =>
  `\`phoneNumber\` is not a valid number of your account's country (${country}): send it with its country code, such as +54 11 2345-6789.`;

/** What would help platforms to match a client: advice as in the quality report, about the account's platforms. */
export const clientWarnings = (facts: MatchFacts): string[] => {
  const { contact, hasReference, clickIds, country, platforms } = facts;
  const taken = new Set((platforms.length > 0 ? platforms : platformNames).flatMap((name) => matchKeysOf(name)));
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

/** The same for a conversion. `isRetrySafe`: whether a repeat of the request would be recognised. */
export const conversionWarnings = (facts: MatchFacts, isRetrySafe: boolean): string[] => [
  ...(isRetrySafe ? [] : [safeRetry]),
  ...clientWarnings(facts),
];
