import type { AccountId, ConnectionState, Currency, FeedbackState, PlatformName } from '@leadback/domain';
import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';

/** How the report to one of the account's connections stands. */
export interface FeedbackRecord {
  readonly platform: PlatformName;
  readonly state: FeedbackState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly connectionState: ConnectionState;
  readonly connectionReason: string | null;
  /** null: it is closed, or waits for the operator. */
  readonly nextAttemptAt: Date | null;
  readonly closedAt: Date | null;
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
  readonly createdAt: Date;
  readonly feedback: readonly FeedbackRecord[];
}

/** By its id, or by its reference among the real ones or the tests. */
export type ConversionName = { readonly id: number } | { readonly externalReference: string; readonly isTest: boolean };

type Row = Omit<ConversionRecord, 'feedback'> & (FeedbackRecord | { readonly platform: null });

const columns = `
  select v.id, v.client_id as "clientId", c.lead_id as "leadId", v.amount, v.currency,
         coalesce(v.external_reference, v.test_reference) as "externalReference", v.is_test as "isTest", v.created_at as "createdAt",
         connection.platform, f.state, f.reason, f.attempts, connection.state as "connectionState",
         connection.state_reason as "connectionReason", f.closed_at as "closedAt",
         case when f.state = 'pending' then nullif(f.held_until, 'infinity') end as "nextAttemptAt"
  from conversion v
  join client c on c.id = v.client_id and c.account_id = v.account_id
  left join (feedback f join platform_connection connection
             on connection.id = f.connection_id and connection.account_id = f.account_id)
    on f.conversion_id = v.id and f.account_id = v.account_id
  where v.account_id = $1`;

const byId = preparedStatement<Row>('read-conversion', `${columns} and v.id = $2 order by connection.id`);

const byReference = preparedStatement<Row>(
  'read-conversion-by-reference',
  `${columns} and v.external_reference = $2 order by connection.id`,
);

const byTestReference = preparedStatement<Row>(
  'read-conversion-by-test-reference',
  `${columns} and v.test_reference = $2 order by connection.id`,
);

const feedbackOf = (row: Row): FeedbackRecord[] => {
  if (row.platform === null) return [];
  const { platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt } = row;
  return [{ platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt }];
};

const read = (pool: Pool, accountId: AccountId, name: ConversionName): Promise<Row[]> => {
  if ('id' in name) return byId(pool, [accountId, name.id]);
  return (name.isTest ? byTestReference : byReference)(pool, [accountId, name.externalReference]);
};

/** Gives a conversion of the account and how its feedback stands; undefined where the account has no such conversion. */
export const readConversion = async (
  pool: Pool,
  accountId: AccountId,
  name: ConversionName,
): Promise<ConversionRecord | undefined> => {
  const rows = await read(pool, accountId, name);
  const [first] = rows;
  if (!first) return undefined;
  const { id, clientId, leadId, amount, currency, externalReference, isTest, createdAt } = first;
  const feedback = rows.flatMap(feedbackOf);
  return { id, clientId, leadId, amount, currency, externalReference, isTest, createdAt, feedback };
};
