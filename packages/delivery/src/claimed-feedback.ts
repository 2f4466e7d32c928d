import type {
  AttributedConversion,
  ClickTimes,
  ConnectionState,
  ConsentScope,
  GpcReading,
  PlatformName,
} from '@leadback/domain';

/** One claimed feedback row, with all that is needed to send it. */
export interface ClaimedFeedback {
  readonly feedbackId: number;
  readonly attempts: number;
  /** When the conversion was registered. */
  readonly createdAt: Date;
  readonly connection: {
    readonly id: number;
    readonly accountId: number;
    readonly platform: PlatformName;
    readonly state: ConnectionState;
    readonly settings: unknown;
    readonly encryptedCredentials: Buffer;
  };
  /** A conversion registered with a test key is a test. */
  readonly mode: 'live' | 'test';
  readonly conversion: AttributedConversion;
  /** W3C `traceparent` of the lead, if it is traced. */
  readonly traceParent: string | undefined;
}

export interface ClaimedRow {
  feedback_id: number;
  attempts: number;
  feedback_at: Date;
  connection_id: number;
  account_id: number;
  platform: PlatformName;
  connection_state: ConnectionState;
  settings: unknown;
  credentials: Buffer;
  country: string;
  gpc_reading: GpcReading;
  installation_id: string;
  conversion_id: number;
  event_id: string;
  conversion_reference: string | null;
  amount: string;
  currency: AttributedConversion['currency'];
  is_test: boolean;
  occurred_at: Date;
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
  lead_at: Date;
  click_times: ClickTimes | null;
  clicked_at: Date | null;
  lead_name: string | null;
  lead_email: string | null;
  lead_phone: string | null;
  consent: boolean | null;
  consent_scope: ConsentScope | null;
  global_privacy_control: boolean;
  trace_parent: string | null;
}

/**
 * A condition on `feedback` for rows that may be parked. Rows that a worker is processing are excluded: they would be
 * sent a second time if the connection were resumed before the request ends. If they stay pending, the next claim parks
 * them.
 */
export const isParkable = `state = 'pending' and due_at < 'infinity' and (held_until <= now() or claims_unfinished = 0)`;

/**
 * Two expressions for a `with`, after one named `free` with the ids of rows that no worker holds. `claimed` holds them
 * for a lease ($1), so that a second copy of a message does not send them again; if the worker crashes, they are free
 * after the lease. Rows of an inactive connection are not sent, so their claims are not counted as unfinished. `facts`
 * is all that a worker needs.
 */
export const claimOfFree = `claimed as (
     update feedback f set
       claims_unfinished = case when connection.state = 'active' then f.claims_unfinished + 1 else 0 end,
       held_until = now() + $1::interval, due_at = now() + $1::interval
     from free, platform_connection connection where f.id = free.id and connection.id = f.connection_id
     returning f.*
   ), facts as (
     select f.id as feedback_id, f.attempts, f.created_at as feedback_at, f.account_id, f.connection_id, connection.platform,
            connection.state as connection_state, connection.settings, connection.credentials, account.country,
            account.gpc_reading, (select id from installation) as installation_id,
            v.id as conversion_id, coalesce(v.event_id, v.id::text) as event_id,
            coalesce(v.external_reference, v.test_reference) as conversion_reference, v.amount, v.currency, v.is_test,
            coalesce(v.occurred_at, v.created_at) as occurred_at, c.id as client_id,
            coalesce(c.external_reference, c.test_reference) as client_reference, c.name, c.email, c.phone_number,
            l.click_marks, l.click_times, l.clicked_at, l.ip_address, l.user_agent, l.accept_language, l.referrer,
            l.landing_url, l.created_at as lead_at, l.name as lead_name, l.email as lead_email, l.phone as lead_phone,
            l.consent, l.consent_scope, l.global_privacy_control, l.trace_parent
     from claimed f
     join account on account.id = f.account_id
     join platform_connection connection on connection.id = f.connection_id and connection.account_id = f.account_id
     join conversion v on v.id = f.conversion_id and v.account_id = f.account_id
     join client c on c.id = v.client_id and c.account_id = f.account_id
     join lead l on l.id = c.lead_id and l.account_id = f.account_id
   )`;
