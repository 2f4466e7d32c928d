import type { Pool, PoolClient } from 'pg';

// a connection that breaks fails the statement under way; unheard, its event would end the process as well
const ignoreError = () => {};

/** Runs the work in one transaction. Where it fails, nothing of it has happened, unless the commit itself was cut off. */
export const inTransaction = async <Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  client.on('error', ignoreError);
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.off('error', ignoreError);
    client.release();
    return result;
  } catch (error) {
    client.release(true); // ends the session, and the transaction with it
    throw error;
  }
};
