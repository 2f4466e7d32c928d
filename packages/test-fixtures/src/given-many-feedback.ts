import type { Database, Feedback, PlatformConnection } from '@leadback/db';
import { givenClient } from './given-conversion.ts';

interface ManyFeedback {
  readonly connection: PlatformConnection;
  readonly rows: number;
  readonly client?: Omit<NonNullable<Parameters<typeof givenClient>[1]>, 'account'>;
  readonly state?: Feedback['state'];
  readonly reason?: string;
}

/** Deliveries of conversions of one client, due now or closed. Returns their ids. */
export const givenManyFeedback = async (
  database: Pick<Database, 'em' | 'pool'>,
  { connection, rows: count, client: options, state = 'pending', reason }: ManyFeedback,
): Promise<number[]> => {
  const account = await connection.account.loadOrFail();
  const client = await givenClient(database.em(), { account, ...options });
  const { rows } = await database.pool.query<{ id: string }>(
    `with made as (
       insert into conversion (account_id, client_id, amount, currency)
       select $1, $2, 10, 'USD' from generate_series(1, $3::int) returning id
     )
     insert into feedback (account_id, conversion_id, connection_id, state, reason)
     select $1, id, $4, $5, $6 from made returning id`,
    [account.id, client.id, count, connection.id, state, reason ?? null],
  );
  return rows.map(({ id }) => Number(id));
};
