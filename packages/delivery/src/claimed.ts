import type {
  AdjustmentKind,
  AttributedConversion,
  AttributedEvent,
  ClickTimes,
  ConsentScope,
  FeedbackState,
  GpcReading,
  PlatformName,
} from '@leadback/domain';

/** The deliveries to the same connection that must be closed before that of an adjustment is sent. */
export interface EarlierDeliveries {
  /** Of the conversion itself; null if retention has deleted it. */
  readonly original: FeedbackState | null;
  /** Whether the platform has yet to report the status of a request with the conversion. */
  readonly isOriginalUnconfirmed: boolean;
  /** Whether an earlier adjustment is pending. */
  readonly isAdjustmentOpen: boolean;
}

/** A claimed delivery, with all that is needed to send it. */
export interface ClaimedDelivery {
  readonly feedbackId: number;
  /** How often it was sent before, not counting throttled attempts. */
  readonly attempts: number;
  /** When its event was registered, in milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly event: AttributedEvent;
  /** Of an adjustment. */
  readonly earlier: EarlierDeliveries | undefined;
  /** W3C `traceparent` of the lead, if it is traced. */
  readonly traceParent: string | undefined;
}

/** A claimed parcel. Only the worker that made this claim may settle it, and only until another claim. */
export interface ClaimedParcel {
  readonly id: number;
  /** The fencing token: how often the parcel was claimed. */
  readonly claim: number;
  readonly connection: {
    readonly id: number;
    readonly accountId: number;
    readonly platform: PlatformName;
    readonly version: number;
  };
  /** What is registered with a test key is a test. */
  readonly mode: 'live' | 'test';
  /** PostgreSQL's clock at the claim, in milliseconds since 1970: whatever ends a delivery is judged by it. */
  readonly claimedAtMs: number;
  /** Those that are still open. Their sender takes them out. */
  readonly deliveries: ClaimedDelivery[];
}

/** Columns in `_ms` are milliseconds since 1970. One row per delivery; a parcel whose deliveries are all closed has one row without a delivery. */
export interface ClaimedRow {
  parcel_id: number;
  claim: number;
  is_test: boolean;
  connection_id: number;
  account_id: number;
  platform: PlatformName;
  version: number;
  country: string;
  gpc_reading: GpcReading;
  claimed_ms: number;
  feedback_id: number | null;
  attempts: number;
  feedback_ms: number;
  installation_id: string;
  occurred_ms: number;
  client_id: number;
  client_reference: string | null;
  name: string | null;
  email: string | null;
  phone_number: string | null;
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
  trace_parent: string | null;
  /** This and all below: of a conversion or its adjustment, else null. */
  conversion_id: number | null;
  event_id: string | null;
  event_name: string | null;
  conversion_reference: string | null;
  amount: string | null;
  currency: AttributedConversion['currency'] | null;
  /** This and all below: of an adjustment, else null. */
  adjustment_id: number | null;
  adjustment_kind: AdjustmentKind | null;
  adjusted_amount: string | null;
  adjusted_ms: number | null;
  taken_back: string | null;
  is_superseded: boolean | null;
  original_state: FeedbackState | null;
  is_original_unconfirmed: boolean | null;
  is_adjustment_open: boolean | null;
}
