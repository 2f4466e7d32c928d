import { type ConnectionPool, grantToApps, migrate, prepareGrants } from '@leadback/db';
import { givenDatabase, type TestDatabase, openPatientPool } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rightsOf } from './rights-of.ts';
import { tableRights } from './table-rights.ts';
import { tablesOf } from './tables-of.ts';

const inCell = (url: string) => `${url}?options=${encodeURIComponent('-c search_path=zapatos')}`;

describe('database migrate', () => {
  let app: TestDatabase;
  let owner: ConnectionPool;
  let landing: ConnectionPool;
  beforeAll(async () => {
    app = await givenDatabase();
    owner = await openPatientPool({ url: app.ownerUrl, applicationName: 'test' });
    landing = await openPatientPool({ url: app.urlOf('landing'), applicationName: 'test' });
  });
  afterAll(() => Promise.all([app, owner, landing].map((each) => each[Symbol.asyncDispose]())));

  it('takes away what a role of an app was granted by hand', async () => {
    await owner.pool.query(
      `grant select on api_key to leadback_landing; grant update (slug) on landing_page to leadback_landing`,
    );
    expect(await rightsOf(landing.pool, 'api_key', ['id'])).toBe('select');
    await migrate(app.ownerUrl);
    expect(await rightsOf(landing.pool, 'api_key', ['id'])).toBe('');
    expect(await rightsOf(landing.pool, 'landing_page', ['id', 'slug'])).toBe('select');
  });

  it('lets apps write into new tables by triggers while migrations run', async () => {
    await prepareGrants(owner.pool);
    await owner.pool.query(`
      create table tally (id bigserial, landing_instance text) partition by list (landing_instance);
      create table tally_rest partition of tally default;
      create function tally_fn() returns trigger language plpgsql as $$
        begin insert into tally (landing_instance) values (new.id); return new; end
      $$;
      create trigger tally after insert on landing_instance for each row execute function tally_fn()`);
    const insert = `insert into landing_instance (id, is_behind) values (gen_random_uuid()::text, false)`;
    await landing.pool.query(insert);
    expect((await app.pool.query('delete from tally returning id')).rows).toHaveLength(1);
    await grantToApps(owner.pool);
    await expect(landing.pool.query(insert)).rejects.toMatchObject({ code: '42501' });
    await owner.pool.query('drop table tally; drop function tally_fn cascade; create table plain (id bigserial)');
    expect(await rightsOf(landing.pool, 'plain', ['id'])).toBe('');
    await owner.pool.query('drop table plain');
  });

  it('lets apps that still share the role leadback_app read and write every table but those of the console', async () => {
    await using shared = await openPatientPool({
      // a member of the role, which has no login of its own in a new installation
      url: `${app.url}?options=${encodeURIComponent('-c role=leadback_app')}`,
      applicationName: 'test',
      connectionsMax: 1,
    });
    const tables = await tablesOf(owner.pool);
    const others = Object.entries(tableRights).filter(([, { console }]) => console !== 'all');
    const ofConsole = [
      'retention_period',
      'person',
      'membership',
      'invitation',
      'person_session',
      'passkey',
      'person_identity',
      'sign_in_challenge',
      'retry_task',
    ];
    const found: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const { table, columns } of tables.filter((one) => others.every(([name]) => name !== one.table))) {
      found[table] = await rightsOf(shared.pool, table, columns);
      // partitions of attempts, which retention alone deletes
      const usual = table.startsWith('delivery_attempt_') ? 'select insert update' : 'all';
      expected[table] = ofConsole.includes(table) ? '' : usual;
    }
    expect(found).toEqual(expected);
  });

  it('grants the rights in the schema of the connection, which is that of a cell', async () => {
    await using cell = await givenDatabase();
    await using ofCell = await openPatientPool({ url: cell.ownerUrl, applicationName: 'test' });
    await ofCell.pool.query('drop schema public cascade; create schema zapatos');
    await migrate(inCell(cell.ownerUrl));
    await using ofLanding = await openPatientPool({ url: inCell(cell.urlOf('landing')), applicationName: 'test' });
    expect(await ofLanding.pool.query('select from landing_page')).toMatchObject({ rowCount: 0 });
    await expect(ofLanding.pool.query('select from api_key')).rejects.toMatchObject({ code: '42501' });
    await expect(ofLanding.pool.query('create table mine ()')).rejects.toMatchObject({ code: '42501' });
  });
});
