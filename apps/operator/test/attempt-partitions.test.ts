import { setTimeout as pause } from 'node:timers/promises';
import { applyRetention } from '../src/upkeep/retention.ts';
import { attemptPartitionsAhead } from '../src/doctor/database.ts';
import { type Database, openDatabase } from '@leadback/db';
import { claimParcelsOfConnections } from '@leadback/core/delivery/claim';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { givenContacts, givenDatabase, givenDelivery, type TestDatabase, openPatientPool } from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const attempt = { outcome: 'throttled', reason: null, httpStatus: 429, answer: null, durationMs: 1 } as const;
const retry = { state: 'pending', reason: null, retryInMs: 0, isCounted: false, attempt } as const;
const tell = () => {};

/** 0 is the current month. */
const month = (later: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later)).toISOString();
};
const nameOf = (later: number) => `delivery_attempt_${month(later).slice(0, 7).replace('-', '_')}`;

describe('the attempt log', () => {
  let database: TestDatabase;
  let owner: Database;
  beforeEach(async () => {
    database = await givenDatabase({ waitsForLocks: true });
    owner = await openDatabase({ url: database.ownerUrl, applicationName: 'retention', hasNoStatementTimeout: true });
  });
  afterEach(async () => {
    await owner[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const run = (sql: string) => owner.pool.query(sql);
  const count = async (where = 'true') => {
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from delivery_attempt where ${where}`,
    );
    return rows[0]?.n;
  };
  const insert = async (later: number) => {
    const { id, account } = await givenDelivery(database.em());
    await database.pool.query(
      `insert into delivery_attempt (account_id, delivery_id, outcome, duration_ms, created_at)
       values ($1, $2, 'delivered', 1, $3)`,
      [account.id, id, month(later)],
    );
  };
  const partitions = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery_attempt'::regclass order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const withoutPartitions = async () => {
    for (const name of await partitions()) if (!name.endsWith('_default')) await run(`drop table ${name}`);
  };
  const withMonths = async (...months: number[]) => {
    await withoutPartitions();
    for (const later of months) {
      await run(`create table ${nameOf(later)} partition of delivery_attempt
                 for values from ('${month(later)}') to ('${month(later + 1)}')`);
    }
  };
  const apply = (days?: number) =>
    applyRetention(owner.pool, { attemptsDays: days, isDryRun: false, tell }).then((applied) =>
      applied.kind === 'applied' ? applied.partitions : applied,
    );
  /** Claims a delivery and settles it with an attempt; resolves with the number of attempts that were written. */
  type Write = () => Promise<number>;
  const asWorker = async (pool: Database['pool']): Promise<Write> => {
    const { connection } = await givenDelivery(database.em());
    const settle = parcelSettler(pool);
    const wanted = [{ connectionId: connection.id, deliveries: 1, dueSince: '-infinity' }] as const;
    return async () => {
      let written = 0;
      for (const parcel of await claimParcelsOfConnections(pool, wanted, givenContacts())) {
        const deliveryIds = parcel.deliveries.map(({ deliveryId }) => deliveryId);
        await settle({ parcel, deliveries: [{ ...retry, deliveryIds }] });
        written += deliveryIds.length;
      }
      return written;
    };
  };
  /** Writes some hundred attempts per second, and waits for locks as long as a busy machine needs. */
  const givenWriters = async () => {
    const writersCount = 4;
    const own = await openPatientPool({ url: database.url, applicationName: 'writer', connectionsMax: writersCount });
    const writes = await Promise.all(Array.from({ length: writersCount }, () => asWorker(own.pool)));
    const failures: unknown[] = [];
    let written = 0;
    const over = new AbortController();
    const end = async () => {
      over.abort();
      await Promise.all(writing);
      return written;
    };
    const writing = writes.map(async (write) => {
      while (!over.signal.aborted) {
        try {
          const attempts = await write();
          written += attempts;
        } catch (error) {
          failures.push(error);
        }
        await pause(5);
      }
    });
    return {
      failures,
      written: () => written,
      /** Resolves with the number of written attempts. */
      end,
      [Symbol.asyncDispose]: async () => {
        await end();
        await own[Symbol.asyncDispose]();
      },
    };
  };

  it('creates attempt partitions for this month and the next three', async () => {
    expect(await attemptPartitionsAhead(database.pool)).toEqual({ monthsAhead: 3, rowsInDefault: 0 });
    expect(await apply()).toEqual({ made: [], dropped: [] });
    await withMonths(0);
    expect(await attemptPartitionsAhead(database.pool)).toEqual({ monthsAhead: 0, rowsInDefault: 0 });
    expect(await apply()).toEqual({ made: [nameOf(1), nameOf(2), nameOf(3)], dropped: [] });
    expect(await attemptPartitionsAhead(database.pool)).toEqual({ monthsAhead: 3, rowsInDefault: 0 });
  });

  it('drops only attempt partitions that are entirely older than the retention', async () => {
    await withMonths(-5, -4, -3, -2, -1, 0);
    for (const later of [-5, -4, -3, -2, -1, 0]) await insert(later);
    const days = Math.floor((Date.now() - Date.parse(month(-2))) / 86_400_000);
    expect(await apply(days)).toMatchObject({ dropped: [nameOf(-5), nameOf(-4), nameOf(-3)] });
    expect(await count()).toBe(3);
    expect(await apply(days)).toEqual({ made: [], dropped: [] });
  });

  it('moves attempts from the default partition into one of their own', async () => {
    await withMonths(-4);
    for (const later of [-4, -3, -2, 0]) await insert(later);
    expect(await attemptPartitionsAhead(database.pool)).toEqual({ monthsAhead: -1, rowsInDefault: 3 });
    await using writers = await givenWriters();
    await expect.poll(() => writers.written()).toBeGreaterThan(20);
    const adopted = `${nameOf(-3)}_to_${month(1).slice(0, 7).replace('-', '_')}`;
    expect(await apply()).toEqual({ made: [adopted, nameOf(2), nameOf(3)], dropped: [] });
    const before = writers.written();
    await expect.poll(() => writers.written()).toBeGreaterThan(before + 20);
    const written = await writers.end();
    expect(writers.failures).toEqual([]);
    expect(await attemptPartitionsAhead(database.pool)).toEqual({ monthsAhead: 3, rowsInDefault: 0 });
    expect(await count()).toBe(4 + written);
    expect(await apply(30)).toMatchObject({ dropped: [nameOf(-4)] });
  });

  it('lets workers write while partitions change, even during a long read', async () => {
    await withMonths(-5, -4, -3, 0);
    for (const later of [-5, -4, -3]) await insert(later);
    await using writers = await givenWriters();
    await expect.poll(() => writers.written()).toBeGreaterThan(20);
    await using reading = await openDatabase({ url: database.url, applicationName: 'reader' });
    const reader = reading.em();
    await reader.begin();
    await reader.execute('select count(*) from delivery_attempt');

    const applying = applyRetention(owner.pool, { attemptsDays: 30, isDryRun: false, tell });
    const waitsForLock = async () => {
      const { rows } = await owner.pool.query(
        `select from pg_stat_activity where application_name = 'retention' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    };
    for (let times = 0; times < 3; times += 1) {
      await expect.poll(waitsForLock).toBe(true);
      const before = writers.written();
      // writers queue behind a waiting lock, so it must give up while the reader reads
      await expect.poll(() => writers.written() > before + 40 || writers.failures.length > 0).toBe(true);
    }
    await reader.commit();
    expect(await applying).toMatchObject({
      kind: 'applied',
      partitions: { dropped: [nameOf(-5), nameOf(-4), nameOf(-3)] },
    });
    const written = await writers.end();
    expect(writers.failures).toEqual([]);
    expect(await count()).toBe(written);
  });
});
