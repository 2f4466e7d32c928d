import type { AccountMode, ConnectionState, Currency, FeedbackState, PlatformName } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';

/** The delivery of a conversion to one of the account's connections. */
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
  /** What the platform reported later about the request of this delivery. */
  readonly note: string | null;
}

export interface ConversionRecord {
  readonly id: number;
  readonly clientId: number;
  readonly leadId: number;
  /** Exact decimal with two places. */
  readonly amount: string;
  readonly currency: Currency;
  readonly externalReference: string | null;
  readonly isTest: boolean;
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly feedback: readonly FeedbackRecord[];
}

type ConversionName = { readonly id: number } | { readonly externalReference: string };

/** One per delivery; a conversion without deliveries has one row. */
export type ConversionRow = Omit<ConversionRecord, 'feedback'> & (FeedbackRecord | { readonly platform: null });

// `account_id + 0` is not looked up in the index of accounts, however few rows PostgreSQL expects there
/** SQL that selects a `ConversionRow` per delivery. `conversions`: what gives the conversions, as v. */
export const conversionRowsFrom = (conversions: string): string => `
  select v.id, v.client_id as "clientId", c.lead_id as "leadId", v.amount, v.currency,
         coalesce(v.external_reference, v.test_reference) as "externalReference", v.is_test as "isTest",
         coalesce(v.event_id, v.id::text) as "eventId", coalesce(v.occurred_at, v.created_at) as "occurredAt",
         v.created_at as "createdAt",
         connection.platform, f.state, f.reason, f.attempts, connection.state as "connectionState",
         connection.state_reason as "connectionReason", f.closed_at as "closedAt", f.note,
         case when connection.state = 'active' then due.not_before end as "nextAttemptAt"
  from ${conversions}
  cross join lateral (select lead_id from client where id = v.client_id and account_id = v.account_id limit 1) c
  left join feedback f on f.conversion_id = v.id and f.account_id + 0 = v.account_id
  left join lateral (
    select id, platform, state, state_reason from platform_connection
    where id = f.connection_id and account_id = f.account_id limit 1
  ) connection on true
  left join lateral (
    select not_before from feedback_due
    where id = f.parcel_id and account_id = f.account_id and f.state = 'pending' limit 1
  ) due on true`;

const rowsWhere = (condition: string) =>
  `${conversionRowsFrom('conversion v')} where ${condition} order by connection.id`;

const byId = preparedStatement<ConversionRow>(
  'read-conversion',
  rowsWhere('v.id = $2 and v.account_id + 0 = $1 and v.is_test = $3'),
);

const byReference = preparedStatement<ConversionRow>(
  'read-conversion-by-reference',
  rowsWhere('v.account_id = $1 and v.external_reference = $2'),
);

const byTestReference = preparedStatement<ConversionRow>(
  'read-conversion-by-test-reference',
  rowsWhere('v.account_id = $1 and v.test_reference = $2'),
);

const feedbackOf = (row: ConversionRow): FeedbackRecord[] => {
  if (row.platform === null) return [];
  const { platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt, note } = row;
  return [{ platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt, note }];
};

const conversionOf = (rows: readonly [ConversionRow, ...ConversionRow[]]): ConversionRecord => {
  const [first] = rows;
  const { id, clientId, leadId, amount, currency, externalReference, isTest, eventId, occurredAt, createdAt } = first;
  const ids = { id, clientId, leadId, externalReference, eventId };
  return { ...ids, amount, currency, isTest, occurredAt, createdAt, feedback: rows.flatMap(feedbackOf) };
};

/** The conversions of rows, in their order. */
export const conversionsOf = (rows: readonly ConversionRow[]): ConversionRecord[] =>
  [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : conversionOf([first, ...others]),
  );

const read = (pool: Pool, { accountId, isTest }: AccountMode, name: ConversionName): Promise<ConversionRow[]> => {
  if ('id' in name) return byId(pool, [accountId, name.id, isTest]);
  return (isTest ? byTestReference : byReference)(pool, [accountId, name.externalReference]);
};

/** Returns a conversion with its deliveries; undefined if the account has no such conversion in this mode. */
export type ConversionReader = (mode: AccountMode, name: ConversionName) => Promise<ConversionRecord | undefined>;

export const conversionReader =
  (pool: Pool): ConversionReader =>
  async (mode, name) => {
    const [conversion] = conversionsOf(await read(pool, mode, name));
    return conversion;
  };
