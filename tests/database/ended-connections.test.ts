import type { EntityManager } from '@leadback/db';
import { eventually, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const pids = z.array(z.object({ pid: z.number() })).length(1);

describe('connections that PostgreSQL ends', async () => {
  const database = await shared(givenDatabase());

  /** Ends the connection of a transaction from outside. */
  const end = async (tx: EntityManager): Promise<void> => {
    const [row] = pids.parse(await tx.execute('select pg_backend_pid() as pid'));
    await database.pool.query('select pg_terminate_backend($1, 5000)', [row?.pid]);
  };

  it.each([
    ['fails at its next statement', (tx: EntityManager) => tx.execute('select 1')],
    ['fails at its end', async () => {}],
  ])('leave the pool when a transaction of the ORM %s', async (_when, goOn) => {
    // more often than the pool has connections
    for (let count = 0; count < 12; count += 1) {
      const transaction = database.em().transactional(async (tx) => {
        await end(tx);
        await goOn(tx);
      });
      await expect(transaction).rejects.toThrow(/not queryable|terminat/);
    }
    await eventually(() => expect(database.pool.totalCount).toBe(database.pool.idleCount));
    expect(await database.em().execute('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('may still be returned by those who hold them', async () => {
    const client = await database.pool.connect();
    const ended = new Promise((resolve) => void client.once('end', resolve));
    client.on('error', () => {});
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await database.pool.query('select pg_terminate_backend($1, 5000)', [pids.parse(rows)[0]?.pid]);
    await ended;
    await eventually(() => expect(database.pool.totalCount).toBe(database.pool.idleCount));
    expect(() => client.release()).not.toThrow();
  });
});
