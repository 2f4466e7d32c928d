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
  'select from person',
  `insert into person (email, role) values ('ana@example.com', 'admin')`,
  'select from membership',
  'select from invitation',
  'select from person_session',
  'select from passkey',
  'select from sign_in_challenge',
  'select from console_task',
  'select from audit_entry',
  `copy lead to '/tmp/leads'`,
  'select pg_read_file($$PG_VERSION$$)',
];

const ofConsole = [
  'person',
  'membership',
  'invitation',
  'person_session',
  'passkey',
  'sign_in_challenge',
  'console_task',
];
const ofOthers = ['mikro_orm_migrations', 'installation', 'audit_entry'];

const lacking = `
  select table_name, privilege
  from information_schema.tables, unnest(array['select', 'insert', 'update', 'delete']) as privilege
  where table_schema = 'public' and table_name <> all($2) and not has_table_privilege($1, quote_ident(table_name), privilege)
  union all
  select sequencename, 'usage' from pg_sequences
  where schemaname = 'public' and not has_sequence_privilege($1, quote_ident(sequencename), 'usage')`;

const changesOfAudit = [
  `update audit_entry set actor = 'somebody else'`,
  'delete from audit_entry',
  'truncate audit_entry',
  'alter table audit_entry add column mine int',
  'drop table audit_entry',
];

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

  it('lets the role of the apps read and write every table but those of the console', async () => {
    const { rows } = await owner.pool.query(lacking, ['leadback_app', [...ofConsole, ...ofOthers]]);
    expect(rows).toEqual([]);
  });

  it('lets the role of the console read and write every table', async () => {
    expect((await owner.pool.query(lacking, ['leadback_console', ofOthers])).rows).toEqual([]);
  });

  it.each(changesOfAudit)('lets both roles add to the audit log and forbids them to run: %s', async (statement) => {
    const add = `insert into audit_entry (actor, action, target) values ('ana@example.com', 'key.revoke', 'key 1')`;
    await using ofPeople = await openDatabase({ url: app.consoleUrl, applicationName: 'test' });
    for (const { pool } of [app, ofPeople]) {
      await pool.query(add);
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
    expect((await ofPeople.pool.query('select actor from audit_entry limit 1')).rows).toEqual([
      { actor: 'ana@example.com' },
    ]);
  });

  it('forbids the role of the console to change the schema', async () => {
    await using ofPeople = await openDatabase({ url: app.consoleUrl, applicationName: 'test' });
    for (const statement of ['create table mine (id int)', 'drop table person', 'set role leadback_owner']) {
      await expect(ofPeople.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
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
      { name: 'lock_timeout', setting: '500' },
    ]);
  });
});
