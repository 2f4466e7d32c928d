import type {
  AttributedAdjustment,
  AttributedConversion,
  ClickTimes,
  ConsentScope,
  DeliverableEvent,
  FeedbackState,
  GpcReading,
  DestinationName,
  WebhookEventType,
} from '@leadback/domain';

/** What a connection had before its settings or event names were changed, as it was stored. */
export interface FormerSettings {
  readonly settings: unknown;
  readonly eventNames: unknown;
}

/** What is known at the claim of an adjustment of the other deliveries of its conversion to the same connection. */
export interface OtherDeliveries {
  /** The state of the conversion itself; null if retention has deleted it. */
  readonly original: FeedbackState | null;
  /** Whether the platform has yet to report the status of a request with the conversion. */
  readonly isOriginalUnconfirmed: boolean;
  /** Whether the platform reported that it used the conversion; null: nothing is known. */
  readonly isOriginalConfirmed: boolean | null;
  /** With which the conversion was delivered; null: those of the claimed version. */
  readonly formerSettings: FormerSettings | null;
  /** Whether an earlier adjustment is pending. */
  readonly isAdjustmentOpen: boolean;
  /** Whether a later adjustment is pending or was delivered. */
  readonly isSuperseded: boolean;
}

interface Claimed {
  readonly feedbackId: number;
  /** How often it was sent before, not counting throttled attempts. */
  readonly attempts: number;
  /** How often the platform throttled it before. */
  readonly throttled: number;
  /** When its event was registered, in milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Why its contact data cannot be decrypted, by this process alone: it must not be sent without. */
  readonly unreadable?: unknown;
  /** W3C `traceparent` of the lead, if it is traced. */
  readonly traceParent: string | undefined;
}

export interface ClaimedAdjustmentDelivery extends Claimed {
  readonly event: AttributedAdjustment;
  readonly others: OtherDeliveries;
}

interface ClaimedOtherDelivery extends Claimed {
  readonly event: Exclude<DeliverableEvent, AttributedAdjustment>;
  readonly others: undefined;
}

/** A claimed delivery, with all that is needed to send it. */
export type ClaimedDelivery = ClaimedAdjustmentDelivery | ClaimedOtherDelivery;

/** A claimed parcel. Only the worker that made this claim may settle it, and only until another claim. */
export interface ClaimedParcel {
  readonly id: number;
  /** The fencing token: how often the parcel was claimed. */
  readonly claim: number;
  readonly connection: {
    readonly id: number;
    readonly accountId: number;
    readonly platform: DestinationName;
    readonly version: number;
  };
  /** What is registered with a test key is a test. */
  readonly mode: 'live' | 'test';
  /** PostgreSQL's clock at the claim, in milliseconds since 1970: whatever ends a delivery is judged by it. */
  readonly claimedAtMs: number;
  /** Those that are still open. Their sender takes them out. */
  readonly deliveries: ClaimedDelivery[];
}

/** The adjustment of a delivery, as JSON. */
interface ClaimedAdjustment extends OtherDeliveries, Omit<AttributedAdjustment, 'occurredAt' | 'conversion'> {
  /** ISO 8601. */
  readonly occurredAt: string;
}

/** Columns in `_ms` are milliseconds since 1970. One row per delivery; a parcel whose deliveries are all closed has one row without a delivery. */
export interface ClaimedRow {
  parcel_id: number;
  claim: number;
  is_test: boolean;
  connection_id: number;
  account_id: number;
  platform: DestinationName;
  version: number;
  country: string;
  gpc_reading: GpcReading;
  data_key: Buffer | null;
  claimed_ms: number;
  feedback_id: number | null;
  attempts: number;
  throttled: number;
  feedback_ms: number;
  installation_id: string;
  occurred_ms: number;
  client_id: number;
  client_reference: string | null;
  name: string | null;
  email: string | null;
  phone_number: string | null;
  /** Encrypted; null: the other columns have the data. Of the lead as well. */
  client_contact: Buffer | null;
  lead_contact: Buffer | null;
  lead_reference: string;
  click_marks: AttributedConversion['lead']['clickParameters'];
  ip_address: string | null;
  user_agent: string | null;
  accept_language: string | null;
  referrer: string | null;
  landing_url: string | null;
  lead_ms: number;
  click_times: ClickTimes | null;
  clicked_ms: number | null;
  lead_name: string | null;
  lead_email: string | null;
  lead_phone: string | null;
  consent: boolean | null;
  consent_scope: ConsentScope | null;
  global_privacy_control: boolean;
  is_consent_withdrawn: boolean;
  trace_parent: string | null;
  /** This and all below: of a conversion or its adjustment, else null. */
  conversion_id: number | null;
  event_id: string | null;
  event_name: string | null;
  conversion_reference: string | null;
  amount: string | null;
  currency: AttributedConversion['currency'] | null;
  /** Null: it reports something else. */
  adjustment: ClaimedAdjustment | null;
  /** This and all below: of a webhook event, else null. With it, all about clients and leads is null. */
  webhook_event_id: number | null;
  webhook_type: WebhookEventType | null;
  webhook_data: Record<string, unknown> | null;
  webhook_ms: number | null;
}
