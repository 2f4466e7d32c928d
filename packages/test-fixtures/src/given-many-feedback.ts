import type { Database, Feedback, PlatformConnection } from '@leadback/db';
import { givenClient } from './given-conversion.ts';

interface ManyFeedback {
  readonly connection: PlatformConnection;
  readonly rows: number;
  readonly client?: Omit<NonNullable<Parameters<typeof givenClient>[1]>, 'account'>;
  readonly state?: Feedback['state'];
  readonly reason?: string;
  readonly isTest?: boolean;
  /** When the conversions occurred; default: now. */
  readonly occurredAt?: Date;
  /** How many pending deliveries share a parcel. */
  readonly parcelSize?: number;
}

/** Deliveries of conversions of one client, due now or closed. Returns their ids. */
export const givenManyFeedback = async (
  database: Pick<Database, 'em' | 'pool'>,
  {
    connection,
    rows: count,
    client: options,
    state = 'pending',
    reason,
    isTest = false,
    occurredAt,
    parcelSize = 1,
  }: ManyFeedback,
): Promise<number[]> => {
  const account = await connection.account.loadOrFail();
  const client = await givenClient(database.em(), { account, isTest, ...options });
  const { rows } = await database.pool.query<{ id: string }>(
    `with made as (
       insert into conversion (account_id, client_id, amount, currency, is_test, occurred_at)
       select $1, $2, 10, 'USD', $7, $8 from generate_series(1, $3::int) returning id
     ), numbered as (
       select id, (row_number() over (order by id) - 1) / $9::int as part from made
     ), parcel as (
       select part, nextval('feedback_due_id_seq') as parcel_id
       from (select distinct part from numbered where $5 = 'pending') parts
     ), delivery as (
       insert into feedback (account_id, conversion_id, connection_id, state, reason, parcel_id, is_test, occurred_at)
       select $1, id, $4, $5, $6, parcel_id, $7, coalesce($8, now()) from numbered left join parcel using (part) returning id, parcel_id
     ), due as (
       insert into feedback_due (id, account_id, connection_id, is_test, feedback_ids, oldest_at)
       select parcel_id, $1, $4, $7, array_agg(id order by id), coalesce($8, now())
       from delivery where parcel_id is not null group by parcel_id
     )
     select id from delivery order by id`,
    [account.id, client.id, count, connection.id, state, reason ?? null, isTest, occurredAt ?? null, parcelSize],
  );
  return rows.map(({ id }) => Number(id));
};
