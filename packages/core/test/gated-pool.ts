import { eventually, type TestDatabase } from '@leadback/testing';
import { expect } from 'vitest';

type Pool = TestDatabase['pool'];
type Config = { readonly text: string };

const lock = 4_711;
const named = 'unnest($2::bigint[]) named (id)';

/**
 * A pool whose claims by ids stop after they have taken their snapshot, and before they lock a parcel, until the returned
 * function is called: as if PostgreSQL had paused the process there.
 */
export const gatedClaims = async ({ pool }: Pick<TestDatabase, 'pool'>) => {
  const keeper = await pool.connect();
  await keeper.query('select pg_advisory_lock($1)', [lock]);
  const gate = `(select id from unnest($2::bigint[]) u (id), (select pg_advisory_xact_lock_shared(${lock}) offset 0) gate offset 0) named (id)`;
  const gated = new Proxy(pool, {
    get: (target, key) =>
      key === 'query'
        ? ({ text, ...config }: Config) => {
            if (!text.includes(named)) throw new Error('the claim does not read what it is to read');
            return target.query({ ...config, name: undefined, text: text.replace(named, gate) });
          }
        : Reflect.get(target, key, target),
  });
  return {
    pool: gated satisfies Pool,
    /** Waits until a claim has stopped. */
    stopped: async (): Promise<void> => {
      const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`;
      await eventually(async () => expect((await pool.query(waiting)).rowCount).toBeGreaterThan(0), { interval: 5 });
    },
    open: async (): Promise<void> => {
      await keeper.query('select pg_advisory_unlock($1)', [lock]);
      keeper.release();
    },
  };
};
