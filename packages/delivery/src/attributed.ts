import {
  type Attributed,
  type AttributedConversion,
  type AttributedLead,
  type ClickIdName,
  clickIdNames,
  contactToShare,
  leadEventId,
  type Sharing,
  sharingOf,
} from '@leadback/domain';
import type { Contacts } from '@leadback/db';
import { contactsOfRow, type RowContacts } from './claimed-contacts.ts';
import { webhookMessageOf } from './claim-webhook.ts';
import type { ClaimedDelivery, ClaimedParcel, ClaimedRow } from './claimed.ts';

const clickTimesOf = ({ click_times: times, clicked_ms: clickedMs }: ClaimedRow) => {
  const dates: Partial<Record<ClickIdName, Date>> = {};
  for (const name of clickIdNames) {
    const time = times === null ? clickedMs : times[name];
    if (time !== null && time !== undefined) dates[name] = new Date(time);
  }
  return dates;
};

const clientOf = (row: ClaimedRow, { client, lead }: RowContacts, sharing: Sharing): Attributed['client'] => ({
  id: row.client_id,
  externalReference: row.client_reference,
  ...contactToShare(client, lead, sharing),
});

const attributedOf = (row: ClaimedRow, ofRow: RowContacts): Omit<Attributed, 'eventId'> => {
  const sharing = sharingOf({
    consent: row.consent,
    consentScope: row.consent_scope,
    globalPrivacyControl: row.global_privacy_control,
    gpcReading: row.gpc_reading,
    isWithdrawn: row.is_consent_withdrawn,
  });
  return {
    occurredAt: new Date(row.occurred_ms),
    accountCountry: row.country,
    installationId: row.installation_id,
    client: clientOf(row, ofRow, sharing),
    lead: {
      clickParameters: row.click_marks,
      clickTimes: clickTimesOf(row),
      ipAddress: ofRow.ipAddress,
      userAgent: row.user_agent,
      acceptLanguage: row.accept_language,
      referrer: row.referrer,
      landingUrl: row.landing_url,
      sharing,
      createdAt: new Date(row.lead_ms),
    },
  };
};

/** Undefined if the event is the registration of a client. */
const conversionOf = (row: ClaimedRow, ofRow: RowContacts): AttributedConversion | undefined => {
  const { conversion_id: id, event_id: eventId, amount, currency } = row;
  if (id === null || eventId === null || amount === null || currency === null) return undefined;
  const { conversion_reference: externalReference, event_name: eventName } = row;
  return {
    kind: 'conversion',
    id,
    eventId,
    externalReference,
    amount,
    currency,
    eventName,
    ...attributedOf(row, ofRow),
  };
};

const leadOf = (row: ClaimedRow, ofRow: RowContacts): AttributedLead => ({
  kind: 'lead',
  eventId: leadEventId(row.installation_id, row.client_id, row.is_test),
  ...attributedOf(row, ofRow),
});

const deliveryOf = (row: ClaimedRow, feedbackId: number, ofRow: RowContacts): ClaimedDelivery => {
  const conversion = conversionOf(row, ofRow);
  const delivery = {
    feedbackId,
    attempts: row.attempts,
    throttled: row.throttled,
    createdAtMs: row.feedback_ms,
    traceParent: row.trace_parent ?? undefined,
    unreadable: ofRow.failure,
  };
  if (conversion === undefined || row.adjustment === null) {
    return { ...delivery, event: webhookMessageOf(row) ?? conversion ?? leadOf(row, ofRow), others: undefined };
  }
  const { id, kind, amount, takenBack, occurredAt, ...others } = row.adjustment;
  const adjustment = { kind, id, amount, takenBack, occurredAt: new Date(occurredAt), conversion };
  return { ...delivery, event: adjustment, others };
};

/** Decrypts the contact data of each client once: a sale is claimed for several platforms, often at the same time. */
const contactsByClient = (contacts: Contacts): ((row: ClaimedRow) => RowContacts) => {
  const known = new Map<number, RowContacts>();
  return (row) => {
    const found = known.get(row.client_id) ?? contactsOfRow(row, contacts);
    known.set(row.client_id, found);
    return found;
  };
};

/** Collects the rows of a claim, which are in the order of their parcels. */
export const claimedParcels = (rows: readonly ClaimedRow[], contacts: Contacts): ClaimedParcel[] => {
  const parcels: ClaimedParcel[] = [];
  const contactsOf = contactsByClient(contacts);
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
    if (row.feedback_id !== null) deliveries.push(deliveryOf(row, row.feedback_id, contactsOf(row)));
  }
  return parcels;
};
