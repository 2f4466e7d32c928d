import { type AttributedConversion, clickIdNames, contactToShare, type Sharing, sharingOf } from '@leadback/domain';
import type { ClaimedFeedback, ClaimedRow } from './claimed-feedback.ts';

const clickTimesOf = ({ click_times: times, clicked_at: clickedAt }: ClaimedRow) =>
  Object.fromEntries(
    clickIdNames.flatMap((name) => {
      const time = times?.[name] ?? (times === null ? clickedAt : null);
      return time === null ? [] : [[name, new Date(time)]];
    }),
  );

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
    occurredAt: row.occurred_at,
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
      createdAt: row.lead_at,
    },
  };
};

export const claimedFeedback = (row: ClaimedRow): ClaimedFeedback => ({
  feedbackId: row.feedback_id,
  attempts: row.attempts,
  createdAt: row.feedback_at,
  connection: {
    id: row.connection_id,
    accountId: row.account_id,
    platform: row.platform,
    state: row.connection_state,
    settings: row.settings,
    encryptedCredentials: row.credentials,
  },
  mode: row.is_test ? 'test' : 'live',
  traceParent: row.trace_parent ?? undefined,
  conversion: conversionOf(row),
});
