import type { Pool } from 'pg';

interface Bound {
  /** How many may wait for a connection. */
  readonly waitingMax: number;
  /** What the others get, at once. */
  readonly overflow: () => Error;
}

/** The same pool for callers that are refused while many wait for a connection; others may still use the pool itself. */
export const boundedPool = (pool: Pool, { waitingMax, overflow }: Bound): Pool =>
  new Proxy(pool, {
    get: (target, key) => {
      if ((key === 'query' || key === 'connect') && target.waitingCount >= waitingMax) throw overflow();
      return Reflect.get(target, key);
    },
  });
