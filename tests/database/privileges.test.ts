import { migrate, openDatabase } from '@leadback/db';
import { givenDatabase, type TestDatabase } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const forbidden = [
  'create table mine (id int)',
  'create temporary table mine (id int)',
  'create schema mine',
  'create function mine() returns int language sql as $$ select 1 $$',
  'create trigger mine before update on lead for each row execute function landing_page_changed_fn()',
  'create index mine on lead (email)',
  'alter table lead add column mine int',
  'alter table lead disable trigger all',
  'drop table feedback_attempt',
  'truncate feedback_attempt',
  'insert into mikro_orm_migrations (name) values (current_date::text)',
  'update mikro_orm_migrations set name = name',
  'delete from mikro_orm_migrations',
  'update installation set id = gen_random_uuid()',
  'delete from installation',
  'grant leadback_owner to leadback_app',
  'set role leadback_owner',
  'set session_replication_role = replica',
  'alter role leadback_app createdb',
  'create role mine',
  'create database mine',
  `copy lead to '/tmp/leads'`,
  'select pg_read_file($$PG_VERSION$$)',
];

const lacking = `
  select table_name, privilege
  from information_schema.tables, unnest(array['select', 'insert', 'update', 'delete']) as privilege
  where table_schema = 'public' and table_name not in ('mikro_orm_migrations', 'installation')
    and not has_table_privilege('leadback_app', quote_ident(table_name), privilege)
  union all
  select sequencename, 'usage' from pg_sequences
  where schemaname = 'public' and not has_sequence_privilege('leadback_app', quote_ident(sequencename), 'usage')`;

describe('the role of the apps', () => {
  let app: TestDatabase;
  let owner: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    app = await givenDatabase();
    owner = await openDatabase({ url: app.ownerUrl, applicationName: 'test' });
    // the default of every new database
    await owner.pool.query(
      `do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`,
    );
    await migrate(app.ownerUrl);
  });
  afterAll(() => Promise.all([app[Symbol.asyncDispose](), owner[Symbol.asyncDispose]()]));

  it.each(forbidden)('forbids the role of the apps to run: %s', async (statement) => {
    await expect(app.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('refuses to migrate as the role of the apps', async () => {
    await expect(migrate(app.url)).rejects.toThrow('leadback_app may not change the schema');
  });

  it('lets the role of the apps read and write every table', async () => {
    expect((await owner.pool.query(lacking)).rows).toEqual([]);
  });

  it('grants the role of the apps access to new tables, including those that triggers write', async () => {
    await owner.pool.query(`
      create table tally (id bigserial, slug text) partition by list (slug);
      create table tally_rest partition of tally default;
      create function tally_fn() returns trigger language plpgsql as $$
        begin insert into tally (slug) values (new.slug); return new; end
      $$;
      create trigger tally after insert on landing_page for each row execute function tally_fn()`);
    await app.pool.query(`
      with owner as (insert into account (name) values ('Zapatos') returning id)
      insert into landing_page (account_id, slug, target_url) select id, 'tallied', 'https://zapatos.example' from owner`);
    expect((await app.pool.query('delete from tally returning slug')).rows).toEqual([{ slug: 'tallied' }]);
  });

  it('limits lock waits and idle transactions of the role of the apps', async () => {
    const { rows } = await app.pool.query(
      `select name, setting from pg_settings where name in ('idle_in_transaction_session_timeout', 'lock_timeout') order by name`,
    );
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '10000' },
      { name: 'lock_timeout', setting: '15000' },
    ]);
  });
});
