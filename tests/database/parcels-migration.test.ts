import { type Database, migrate } from '@leadback/db';
import { givenDatabase, openPatiently, type TestDatabase } from '@leadback/test-fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenOldFeedback } from '../support/given-old-feedback.ts';
import { parcelViolations } from '../support/parcels.ts';
import { register } from './earlier-version/statements.ts';
import { schemaDifferences } from './schema-differences.ts';

const before = '2026-11-22-truthful-events';

/** 12,000 pending deliveries over four connections: due, waiting for a retry, claimed and parked. One in 100 is closed. */
const backlog = `
  with connection as (
    insert into platform_connection (account_id, platform, settings, credentials)
    select $1, 'meta', '{}', '' from generate_series(1, 4) returning id
  ), numbered as (
    select id, row_number() over () - 1 as place from connection
  ), conversion as (
    insert into conversion (account_id, client_id, amount, currency, is_test)
    select $1, $2, 10, 'USD', n % 50 = 0 from generate_series(1, 12121) n returning id
  )
  insert into feedback (account_id, conversion_id, connection_id, state, due_at, held_until, claims_unfinished)
  select $1, c.id, numbered.id, case when c.id % 100 = 0 then 'delivered' else 'pending' end,
         case place when 1 then now() + interval '1 hour' when 2 then now() + interval '120 s' when 3 then 'infinity'
                    else now() end,
         case place when 1 then now() + interval '1 hour' when 2 then now() + interval '120 s' when 3 then 'infinity'
                    else now() end,
         case place when 2 then 1 else 0 end
  from conversion c join numbered on numbered.place = c.id % 4`;

describe('the migration to parcels', () => {
  let database: TestDatabase;
  let owner: Database;
  let over: AbortController;
  beforeEach(async () => {
    over = new AbortController();
    // how long the migration holds a lock depends on the machine
    database = await givenDatabase({ waitsForLocks: true });
    owner = await openPatiently({ url: database.ownerUrl, applicationName: 'test' });
    await owner.pool.query('drop schema public cascade; create schema public');
    await owner.orm.migrator.up({ to: before });
  });
  afterEach(async () => {
    over.abort();
    await owner[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const pending = async () => (await owner.pool.query(`select from feedback where state = 'pending'`)).rowCount ?? 0;

  it('puts every pending delivery into a parcel, although it is cut off and others register', async () => {
    const old = await givenOldFeedback(owner.pool);
    await owner.pool.query(backlog, [old.accountId, old.clientId]);
    const { rows } = await owner.pool.query<{ id: string }>('select connection_id as id from feedback where id = $1', [
      old.id,
    ]);
    const first = await pending();

    let registered = 0;
    const registering = async () => {
      while (!over.signal.aborted) {
        await owner.pool.query(register, [old.clientId, rows[0]?.id]);
        registered += 1;
      }
    };
    const apis = Promise.all([registering(), registering()]);

    // as if its session ended while it works on the second range of deliveries
    const cut = await owner.pool.query<{ id: string }>(
      `select id from feedback where state = 'pending' order by id offset 8000 limit 1`,
    );
    await owner.pool.query(`create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
      create trigger cut_off before update on feedback for each row when (old.id = ${cut.rows[0]?.id}) execute function cut_off()`);
    await expect(migrate(database.ownerUrl)).rejects.toThrow('cut off');
    await owner.pool.query('drop trigger cut_off on feedback');
    const { rowCount: inParcels } = await owner.pool.query(
      'select from feedback where parcel_id is not null and id < 5000',
    );
    expect(inParcels).toBeGreaterThan(0);

    const then = registered;
    await expect.poll(() => registered).toBeGreaterThan(then + 20);
    expect(await migrate(database.ownerUrl)).toContain('2026-11-22-parcels');
    over.abort();
    await apis;
    expect(await parcelViolations(owner.pool)).toEqual([]);
    expect(await pending()).toBe(first + registered);
    const held = await owner.pool.query<{ parcels: number; deliveries: number }>(
      `select count(*)::int as parcels, sum(cardinality(feedback_ids))::int as deliveries from feedback_due
       where cardinality(feedback_ids) > 1`,
    );
    expect(held.rows[0]?.deliveries).toBeGreaterThanOrEqual(first - 1);
    expect(held.rows[0]?.parcels).toBeLessThan(200);
    expect(await schemaDifferences(owner)).toEqual([]);
  });

  it('lets claims of the version before run out, and makes parked deliveries due', async () => {
    const old = await givenOldFeedback(owner.pool);
    await owner.pool.query(backlog, [old.accountId, old.clientId]);
    await migrate(database.ownerUrl);
    const { rows } = await owner.pool.query<{ waits: string; parcels: number }>(
      `select case when due_at = 'infinity' then 'parked' when due_at > now() + interval '10 minutes' then 'retry'
                   when claims_unfinished > 0 then 'claimed' else 'due' end as waits,
              round(extract(epoch from max(d.not_before) - now()) / 60)::int as minutes
       from feedback f join feedback_due d on d.id = f.parcel_id
       where f.connection_id > (select min(id) from platform_connection) group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { waits: 'claimed', minutes: expect.toSatisfy((minutes: number) => minutes >= 1 && minutes <= 2) },
      { waits: 'due', minutes: expect.toSatisfy((minutes: number) => minutes <= 0) },
      { waits: 'parked', minutes: expect.toSatisfy((minutes: number) => minutes <= 0) },
      { waits: 'retry', minutes: expect.toSatisfy((minutes: number) => minutes >= 58) },
    ]);
  });
});
