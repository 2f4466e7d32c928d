import type { AttributedConversion } from '@leadback/domain';
import { amountValue } from '../amount-value.ts';
import { knownFields } from '../known-fields.ts';
import type { PlatformEvent, Prepared } from '../platform.ts';
import { dayMs } from '../span.ts';
import { adIdentifiersOf } from './ad-identifiers.ts';
import { googleUserData } from './user-data.ts';

const clickAgeMaxMs = 90 * dayMs;

// `Consent` of google/ads/datamanager/v1/consent.proto; left out where nobody was asked
const consentOf = ({ sharing }: AttributedConversion['lead']) => {
  if (sharing === 'unasked') return undefined;
  const status = sharing === 'granted' ? 'CONSENT_GRANTED' : 'CONSENT_DENIED';
  return { adUserData: status, adPersonalization: status };
};

/** A click that nobody made: to see whether Google would take an event. */
export const checkEvent = (nowMs: number): PlatformEvent => ({
  transactionId: `leadback-check-${nowMs}`,
  eventTimestamp: new Date(nowMs).toISOString(),
  eventSource: 'WEB',
  conversionValue: 0,
  currency: 'USD',
  adIdentifiers: { gclid: 'leadback-check' },
});

/** A conversion as an event of the Data Manager API (google/ads/datamanager/v1/event.proto). */
export const googleEvent = (conversion: AttributedConversion, nowMs: number): Prepared => {
  const adIdentifiers = adIdentifiersOf(conversion.lead.clickMarks);
  // a gbraid or wbraid stands for many people by design: naming one beside it is refused
  const isAggregate = adIdentifiers !== undefined && adIdentifiers.gclid === undefined;
  const userData = isAggregate ? undefined : googleUserData(conversion);

  if (adIdentifiers === undefined && userData === undefined) return { kind: 'skipped', reason: 'no_match_keys' };
  if (userData === undefined && nowMs - conversion.lead.createdAt.getTime() > clickAgeMaxMs) {
    return { kind: 'skipped', reason: 'event_too_old' };
  }

  const conversionValue = amountValue(conversion.amount);
  return {
    kind: 'event',
    event: knownFields({
      transactionId: conversion.eventId,
      eventTimestamp: conversion.occurredAt.toISOString(),
      eventSource: 'WEB',
      conversionValue,
      currency: conversionValue === undefined ? undefined : conversion.currency,
      adIdentifiers,
      userData,
      consent: consentOf(conversion.lead),
    }),
  };
};
