import type { Feedback, PlatformConnection } from '@leadback/db';
import { givenClient, type TestDatabase } from '@leadback/given';

interface ManyFeedback {
  readonly connection: PlatformConnection;
  readonly rows: number;
  readonly state?: Feedback['state'];
  readonly reason?: string;
}

/** Conversions of one client, each on its way to the connection's platform: due now, or closed. */
export const givenManyFeedback = async (
  database: TestDatabase,
  { connection, rows, state = 'pending', reason }: ManyFeedback,
): Promise<void> => {
  const client = await givenClient(database.em(), { account: await connection.account.loadOrFail() });
  await database.pool.query(
    `with made as (
       insert into conversion (account_id, client_id, amount, currency)
       select $1, $2, 10, 'USD' from generate_series(1, $3::int) returning id
     )
     insert into feedback (account_id, conversion_id, connection_id, state, reason)
     select $1, id, $4, $5, $6 from made`,
    [connection.account.id, client.id, rows, connection.id, state, reason ?? null],
  );
};
