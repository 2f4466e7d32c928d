import {
  type Attributed,
  type AttributedConversion,
  type AttributedLead,
  isLimited,
  matchKeySet,
} from '@leadback/domain';
import { unixSeconds } from '../event-time.ts';
import { hasGivenExternalId } from '../external-id.ts';
import { knownFields } from '../known-fields.ts';
import { moneyOf } from '../money-of.ts';
import type { PlatformEvent, Prepared } from '../platform.ts';
import { sha256 } from '../sha256.ts';
import { webPage } from '../web-page.ts';
import { tiktokUserData } from './user-data.ts';

/** An event without personal data, to check whether TikTok would accept events. */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  event: 'LeadbackCheck',
  event_time: unixSeconds(new Date(nowMs)),
  event_id: `leadback-check-${nowMs}`,
  user: { external_id: sha256('leadback-check') },
});

const keysOf = ({ client }: Attributed, user: Readonly<Record<string, unknown>>) =>
  matchKeySet({
    ttclid: user['ttclid'],
    email: user['email'],
    phone: user['phone'],
    externalId: hasGivenExternalId(client),
    ipAndUserAgent: user['ip'] !== undefined && user['user_agent'] !== undefined,
    ttp: user['ttp'],
  });

/** Builds an element of `data` of the Events API 2.0. */
export const tiktokEvent = (about: AttributedConversion | AttributedLead, eventName: string): Prepared => {
  const user = tiktokUserData(about);
  if (user === undefined) return { kind: 'skipped', reason: 'no_match_keys' };

  const { lead, eventId: id } = about;
  const page = webPage(lead.landingUrl);
  return {
    kind: 'event',
    keys: keysOf(about, user),
    event: knownFields({
      event: eventName,
      event_time: unixSeconds(about.occurredAt),
      event_id: id,
      user,
      page: page && knownFields({ url: page.href, referrer: webPage(lead.referrer)?.href }),
      properties:
        about.kind === 'conversion' ? { ...moneyOf(about), order_id: about.externalReference ?? id } : undefined,
      limited_data_use: isLimited(lead.sharing) ? true : undefined,
    }),
  };
};
