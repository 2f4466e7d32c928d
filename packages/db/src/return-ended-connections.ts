import type { Pool, PoolClient } from 'pg';

/**
 * Takes connections that have ended away from their holders, so that the pool can open others in their place. The
 * transactions of Kysely, which the ORM uses, never return a connection on which `begin` or `rollback` failed
 * (`provideControlledConnection` in kysely 0.29): each one would be lost until the process ends.
 */
export const returnEndedConnections = (pool: Pool): void => {
  const held = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  const takeBack = (client: PoolClient) => {
    if (!held.has(client)) return;
    client.release(true);
    client.release = () => {}; // the holder may still return it
  };
  pool.on('connect', (client) => {
    // those who return it as soon as their query fails do so first
    client.once('end', () => setImmediate(takeBack, client));
  });
};
