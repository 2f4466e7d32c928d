import type { ConnectionState, FeedbackState, PlatformName } from '@leadback/domain';

/** The delivery of a conversion or an adjustment to one of the account's connections. */
export interface FeedbackRecord {
  readonly platform: PlatformName;
  readonly state: FeedbackState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly connectionState: ConnectionState;
  readonly connectionReason: string | null;
  /** Null: it is closed, or waits for the operator. */
  readonly nextAttemptAt: Date | null;
  readonly closedAt: Date | null;
  /** What the platform was not told in full, and what it reported later about the request of this delivery. */
  readonly note: string | null;
}

/** The columns of a delivery; a row without a delivery has a null platform. */
export type FeedbackColumns = FeedbackRecord | { readonly platform: null };

/** SQL: `FeedbackColumns`, after `deliveriesWhere`. */
export const deliveryColumns = `
         connection.platform, f.state, f.reason, f.attempts, connection.state as "connectionState",
         connection.state_reason as "connectionReason", f.closed_at as "closedAt",
         nullif(concat_ws('. ', f.event_note, f.note), '') as note,
         case when connection.state = 'active' then due.not_before end as "nextAttemptAt"`;

/** SQL that joins the deliveries f for which the condition holds, and what they wait for. */
export const deliveriesWhere = (condition: string): string => `
  left join feedback f on ${condition}
  left join lateral (
    select id, platform, state, state_reason from platform_connection
    where id = f.connection_id and account_id = f.account_id limit 1
  ) connection on true
  left join lateral (
    select not_before from feedback_due
    where id = f.parcel_id and account_id = f.account_id and f.state = 'pending' limit 1
  ) due on true`;

/** The delivery of a row, if it has one. */
export const deliveryOf = (row: FeedbackColumns): FeedbackRecord[] => {
  if (row.platform === null) return [];
  const { platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt, note } = row;
  return [{ platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt, note }];
};
