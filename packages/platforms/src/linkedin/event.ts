import { isIPv4 } from 'node:net';
import {
  type Attributed,
  type AttributedConversion,
  type AttributedLead,
  clickIdIn,
  matchKeySet,
} from '@leadback/domain';
import { z } from 'zod';
import { amountValue, browserFacts, plainEmail, hashedIdentifier, sha256 } from '../event-parts.ts';
import { knownFields, type PlatformEvent, type Prepared } from '../definition.ts';
import { minuteMs } from '../exchange.ts';
import { conversionUrn, type LinkedInSettings } from './settings.ts';

const emailType = 'SHA256_EMAIL';
const clickType = 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID';
const addressType = 'SHA256_IP_ADDRESS';
const userId = (idType: string, idValue: string) => ({ idType, idValue });

const sentSchema = z.object({ user: z.object({ userIds: z.array(z.object({ idValue: z.string() })) }) });

/** What an event says about a person; the types of the ids are constants, which responses may name. */
export const personalValues = (event: PlatformEvent): string[] => {
  const { data } = sentSchema.safeParse(event);
  return data?.user.userIds.map(({ idValue }) => idValue) ?? [];
};

/** `userIds` of an event; empty if LinkedIn could match no person. It takes IPv4 addresses alone. */
const userIdsOf = ({ client, lead }: Attributed) => {
  const email = hashedIdentifier(client.email, plainEmail);
  const click = clickIdIn(lead.clickParameters, 'li_fat_id');
  const { ip = '' } = browserFacts(lead);
  return [
    ...(email === undefined ? [] : [userId(emailType, email)]),
    ...(click === undefined ? [] : [userId(clickType, click)]),
    ...(isIPv4(ip) ? [userId(addressType, sha256(ip))] : []),
  ];
};

/**
 * An event of nobody, to check whether LinkedIn would accept events: conversions are counted only for members whom it
 * matches. A minute ago, because LinkedIn rejects an event of a clock that is ahead of its own.
 */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  conversionHappenedAt: nowMs - minuteMs,
  eventId: `leadback-check-${nowMs}`,
  user: { userIds: [userId(emailType, sha256('leadback-check'))] },
});

const valueOf = (about: AttributedConversion | AttributedLead) => {
  if (about.kind === 'lead' || amountValue(about.amount) === undefined) return undefined;
  // the amount is a text: LinkedIn rejects a number ("cannot be coerced to String")
  return { currencyCode: about.currency, amount: about.amount };
};

/**
 * Builds an element of `conversionEvents` ("Conversions API Schema"). The client's name and the phone number are not sent: this version
 * takes names only unhashed, and no number.
 */
export const linkedinEvent = (
  about: AttributedConversion | AttributedLead,
  { conversionRuleId }: Pick<LinkedInSettings, 'conversionRuleId'>,
): Prepared => {
  const userIds = userIdsOf(about);
  if (userIds.length === 0) return { kind: 'skipped', reason: 'no_match_keys' };

  const has = (type: string) => userIds.some(({ idType }) => idType === type);
  return {
    kind: 'event',
    keys: matchKeySet({ li_fat_id: has(clickType), email: has(emailType), ipAddress: has(addressType) }),
    event: knownFields({
      conversion: conversionUrn(conversionRuleId),
      conversionHappenedAt: about.occurredAt.getTime(),
      conversionValue: valueOf(about),
      eventId: about.eventId,
      user: { userIds },
    }),
  };
};
