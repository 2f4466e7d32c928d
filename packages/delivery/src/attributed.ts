import {
  type AttributedConversion,
  type ClickIdName,
  clickIdNames,
  contactToShare,
  type Sharing,
  sharingOf,
} from '@leadback/domain';
import type { ClaimedDelivery, ClaimedParcel, ClaimedRow } from './claimed.ts';

const clickTimesOf = ({ click_times: times, clicked_ms: clickedMs }: ClaimedRow) => {
  const dates: Partial<Record<ClickIdName, Date>> = {};
  for (const name of clickIdNames) {
    const time = times === null ? clickedMs : times[name];
    if (time !== null && time !== undefined) dates[name] = new Date(time);
  }
  return dates;
};

const clientOf = (row: ClaimedRow, sharing: Sharing): AttributedConversion['client'] => ({
  id: row.client_id,
  externalReference: row.client_reference,
  ...contactToShare(
    { name: row.name, email: row.email, phoneNumber: row.phone_number },
    { name: row.lead_name, email: row.lead_email, phoneNumber: row.lead_phone },
    sharing,
  ),
});

const conversionOf = (row: ClaimedRow): AttributedConversion => {
  const sharing = sharingOf({
    consent: row.consent,
    consentScope: row.consent_scope,
    globalPrivacyControl: row.global_privacy_control,
    gpcReading: row.gpc_reading,
  });
  return {
    id: row.conversion_id,
    eventId: row.event_id,
    externalReference: row.conversion_reference,
    amount: row.amount,
    currency: row.currency,
    occurredAt: new Date(row.occurred_ms),
    accountCountry: row.country,
    installationId: row.installation_id,
    client: clientOf(row, sharing),
    lead: {
      clickParameters: row.click_marks,
      clickTimes: clickTimesOf(row),
      ipAddress: row.ip_address,
      userAgent: row.user_agent,
      acceptLanguage: row.accept_language,
      referrer: row.referrer,
      landingUrl: row.landing_url,
      sharing,
      createdAt: new Date(row.lead_ms),
    },
  };
};

const deliveryOf = (row: ClaimedRow, feedbackId: number): ClaimedDelivery => ({
  feedbackId,
  attempts: row.attempts,
  createdAtMs: row.feedback_ms,
  traceParent: row.trace_parent ?? undefined,
  conversion: conversionOf(row),
});

/** Collects the rows of a claim, which are in the order of their parcels. */
export const claimedParcels = (rows: readonly ClaimedRow[]): ClaimedParcel[] => {
  const parcels: ClaimedParcel[] = [];
  let deliveries: ClaimedDelivery[] = [];
  for (const row of rows) {
    if (parcels.at(-1)?.id !== row.parcel_id) {
      deliveries = [];
      parcels.push({
        id: row.parcel_id,
        claim: row.claim,
        connection: {
          id: row.connection_id,
          accountId: row.account_id,
          platform: row.platform,
          version: row.version,
        },
        mode: row.is_test ? 'test' : 'live',
        claimedAtMs: row.claimed_ms,
        deliveries,
      });
    }
    if (row.feedback_id !== null) deliveries.push(deliveryOf(row, row.feedback_id));
  }
  return parcels;
};
