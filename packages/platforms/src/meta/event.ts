import {
  type Attributed,
  type AttributedConversion,
  type AttributedLead,
  isLimited,
  matchKeySet,
} from '@leadback/domain';
import { unixSeconds } from '../event-time.ts';
import { hasGivenExternalId } from '../external-id.ts';
import { moneyOf } from '../money-of.ts';
import type { PlatformEvent, Prepared } from '../platform.ts';
import { sha256 } from '../sha256.ts';
import { webPage } from '../web-page.ts';
import type { MetaSettings } from './settings.ts';
import { metaUserData } from './user-data.ts';

const skipped = (reason: string): Prepared => ({ kind: 'skipped', reason });

/** A `website` event requires both page and browser; other sources require neither. */
const source = ({ landingUrl, userAgent }: Attributed['lead'], wanted: MetaSettings['actionSource']) => {
  if (wanted !== undefined && wanted !== 'website') return { action_source: wanted };
  const page = webPage(landingUrl);
  return page !== undefined && userAgent?.trim()
    ? { action_source: 'website', event_source_url: page.href }
    : { action_source: 'system_generated' };
};

// "Data processing options": limited data use; Meta determines the location
const limits = {
  opt_out: true,
  data_processing_options: ['LDU'],
  data_processing_options_country: 0,
  data_processing_options_state: 0,
};

/** An event without personal data, to check whether Meta would accept events. */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  event_name: 'LeadbackCheck',
  event_time: unixSeconds(new Date(nowMs)),
  event_id: `leadback-check-${nowMs}`,
  action_source: 'system_generated',
  user_data: { external_id: [sha256('leadback-check')] },
});

const keysOf = ({ client }: Attributed, userData: Readonly<Record<string, unknown>>) =>
  matchKeySet({
    fbclid: userData['fbc'],
    email: userData['em'],
    phone: userData['ph'],
    externalId: hasGivenExternalId(client),
    ipAndUserAgent: userData['client_ip_address'] !== undefined && userData['client_user_agent'] !== undefined,
    fbp: userData['fbp'],
  });

/** Builds an event of the Conversions API ("server event", "customer information" and "custom data" parameters). */
export const metaEvent = (
  about: AttributedConversion | AttributedLead,
  { eventName, actionSource }: Pick<MetaSettings, 'eventName' | 'actionSource'>,
): Prepared => {
  const money = moneyOf(about);
  if (money === undefined && eventName === 'Purchase') return skipped('invalid_amount');

  const userData = metaUserData(about);
  if (userData === undefined) return skipped('no_match_keys');

  const id = about.eventId;
  return {
    kind: 'event',
    keys: keysOf(about, userData),
    event: {
      event_name: eventName,
      event_time: unixSeconds(about.occurredAt),
      event_id: id,
      ...source(about.lead, actionSource),
      ...(isLimited(about.lead.sharing) ? limits : {}),
      user_data: userData,
      ...(about.kind === 'conversion' && { custom_data: { ...money, order_id: about.externalReference ?? id } }),
    },
  };
};
