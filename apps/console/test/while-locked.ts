import type { PoolClient } from '@leadback/db';
import { expect } from 'vitest';
import type { TestConsole } from './given-console.ts';

/** Sends a request, changes something while it waits for the row of a person, and lets it go on. */
export const whileLocked = async <Sent>(
  { database: { pool } }: TestConsole,
  personId: number,
  { send, change }: { send: () => Promise<Sent>; change: (holder: PoolClient) => Promise<unknown> },
): Promise<Sent> => {
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from person where id = $1 for update', [personId]);
    const sent = send();
    await expect
      .poll(async () => {
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await pool.query(waiting)).rowCount;
      })
      .toBe(1);
    await change(holder);
    await holder.query('commit');
    return await sent;
  } finally {
    holder.release();
  }
};
