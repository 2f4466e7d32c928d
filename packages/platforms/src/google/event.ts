import {
  type Attributed,
  type AttributedConversion,
  type AttributedLead,
  clickTimeOf,
  eventTooOld,
  matchKeySet,
} from '@leadback/domain';
import { knownFields } from '../known-fields.ts';
import { moneyOf } from '../money-of.ts';
import type { PlatformEvent, Prepared } from '../platform.ts';
import { dayMs } from '../span.ts';
import { adIdentifiersOf, clickIdOf } from './ad-identifiers.ts';
import type { GoogleSettings } from './settings.ts';
import { type GoogleUserData, googleUserData } from './user-data.ts';

const clickAgeMaxMs = 90 * dayMs;

/**
 * `Consent` of google/ads/datamanager/v1/consent.proto; left out if the visitor was not asked. If only personalisation
 * was refused, `adUserData` stays unspecified: Google discards events that deny it.
 */
const consentOf = ({ sharing }: Attributed['lead']) => {
  if (sharing === 'granted') return { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' };
  if (sharing === 'agreed_unpersonalised')
    return { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' };
  return sharing === 'unpersonalised' ? { adPersonalization: 'CONSENT_DENIED' } : undefined;
};

const skipped = (reason: string): Prepared => ({ kind: 'skipped', reason });

const isStaleClick = ({ lead }: Attributed, nowMs: number) => {
  const clickId = clickIdOf(lead.clickParameters);
  return clickId !== undefined && nowMs - clickTimeOf(lead, clickId).getTime() > clickAgeMaxMs;
};

/** An event with an invented click, to check whether Google would accept events. */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  transactionId: `leadback-check-${nowMs}`,
  eventTimestamp: new Date(nowMs).toISOString(),
  eventSource: 'WEB',
  conversionValue: 0,
  currency: 'USD',
  adIdentifiers: { gclid: 'leadback-check' },
});

const keysOf = (clickIds: ReturnType<typeof adIdentifiersOf>, userData: GoogleUserData | undefined) => {
  const has = (name: string) => userData?.userIdentifiers.some((identifier) => name in identifier) === true;
  return matchKeySet({ ...clickIds, email: has('emailAddress'), phone: has('phoneNumber') });
};

/** Builds `Event` of google/ads/datamanager/v1/event.proto. */
export const googleEvent = (
  about: AttributedConversion | AttributedLead,
  { conversionActionId }: Pick<GoogleSettings, 'conversionActionId'>,
  nowMs: number,
): Prepared => {
  // Google's only mark for an opt-out (Global Privacy Control) makes it discard the event
  if (about.lead.sharing === 'opted_out') return skipped('consent');

  const adIdentifiers = adIdentifiersOf(about.lead.clickParameters);
  // a gbraid or wbraid stands for many people by design; Google rejects user data beside it
  const isAggregate = adIdentifiers !== undefined && adIdentifiers.gclid === undefined;
  const userData = isAggregate ? undefined : googleUserData(about);

  if (adIdentifiers === undefined && userData === undefined) return skipped('no_match_keys');
  if (userData === undefined && isStaleClick(about, nowMs)) return skipped(eventTooOld);

  const money = moneyOf(about);
  return {
    kind: 'event',
    keys: keysOf(adIdentifiers, userData),
    event: knownFields({
      destinationReferences: [conversionActionId],
      transactionId: about.eventId,
      eventTimestamp: about.occurredAt.toISOString(),
      eventSource: 'WEB',
      conversionValue: money?.value,
      currency: money?.currency,
      adIdentifiers,
      userData,
      consent: consentOf(about.lead),
    }),
  };
};
