import {
  type AttributedConversion,
  type AttributedLead,
  clickIdIn,
  clickTimeOf,
  eventTooOld,
  matchKeySet,
} from '@leadback/domain';
import { plainEmail, hashedIdentifier, sha256, moneyOf } from '../event-parts.ts';
import { knownFields, type PlatformEvent, type Prepared } from '../definition.ts';
import { onePhoneNumberForm } from '../phone-number.ts';
import { dayMs, minuteMs } from '../exchange.ts';
import type { MicrosoftSettings } from './settings.ts';

/**
 * As Microsoft formats an email before hashing it ("Format and hash the data", help article 60178): lower-cased, without
 * spaces and accents, and at every domain without a +suffix and the dots before the @.
 */
export const microsoftEmail = (written: string): string | undefined => {
  const plain = plainEmail(
    written
      .replace(/\s/g, '')
      .normalize('NFD')
      .replace(/\p{Mn}/gu, ''),
  );
  const [user = '', domain = ''] = plain?.split('@') ?? [];
  const mailbox = user.replace(/\+.*$/, '').replaceAll('.', '');
  return mailbox === '' || domain.endsWith('.') ? undefined : `${mailbox}@${domain}`;
};

// the longest conversion window of a goal
const clickAgeMaxMs = 90 * dayMs;

/**
 * A conversion of nobody, to check whether Microsoft would accept conversions: it counts only those whose click or person
 * it finds. It has no click id, because an invented one is rejected. A minute ago, because Microsoft rejects a time that
 * lies in its future.
 */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  ConversionTime: new Date(nowMs - minuteMs).toISOString(),
  ConversionValue: 0,
  ConversionCurrencyCode: 'USD',
  HashedEmailAddress: sha256('leadback-check'),
});

/**
 * Builds an `OfflineConversion` of the Campaign Management API. It has no id: Microsoft
 * counts one conversion for each goal, click and time, and ignores repeats. One without a click may count twice.
 */
export const microsoftEvent = (
  about: AttributedConversion | AttributedLead,
  { conversionName }: Pick<MicrosoftSettings, 'conversionName'>,
): Prepared => {
  const { client, lead, accountCountry, occurredAt } = about;
  const MicrosoftClickId = clickIdIn(lead.clickParameters, 'msclkid');
  const HashedEmailAddress = hashedIdentifier(client.email, microsoftEmail);
  const HashedPhoneNumber = hashedIdentifier(client.phoneNumber, (written) =>
    onePhoneNumberForm(written, accountCountry),
  );
  const isPersonKnown = HashedEmailAddress !== undefined || HashedPhoneNumber !== undefined;
  if (MicrosoftClickId === undefined && !isPersonKnown) return { kind: 'skipped', reason: 'no_match_keys' };
  const isClickStale = occurredAt.getTime() - clickTimeOf(lead, 'msclkid').getTime() > clickAgeMaxMs;
  if (isClickStale && !isPersonKnown) return { kind: 'skipped', reason: eventTooOld };

  // Microsoft rejects the whole conversion for a click that is too old
  const msclkid = isClickStale ? undefined : MicrosoftClickId;
  const money = moneyOf(about);
  return {
    kind: 'event',
    keys: matchKeySet({ msclkid, email: HashedEmailAddress, phone: HashedPhoneNumber }),
    event: knownFields({
      ConversionName: conversionName,
      ConversionTime: occurredAt.toISOString(),
      ConversionValue: money?.value,
      ConversionCurrencyCode: money?.currency,
      MicrosoftClickId: msclkid,
      HashedEmailAddress,
      HashedPhoneNumber,
    }),
  };
};
