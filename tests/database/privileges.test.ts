import { deleteConnection, endDeliveriesOfDeleted } from '@leadback/core/connections/delete';
import { endTooOldDeliveries } from '@leadback/core/delivery/too-old';
import { appRoles, type Database, migrate, openDatabase, type Pool } from '@leadback/db';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenDatabase,
  givenDelivery,
  givenWebhook,
  secretsKeys,
  type TestDatabase,
  unique,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rightsOf } from './rights-of.ts';
import { type TableRights, tableRights } from './table-rights.ts';
import { tablesOf } from './tables-of.ts';

const forbidden = [
  'create table mine (id int)',
  'create temporary table mine (id int)',
  'create schema mine',
  'create function mine() returns int language sql as $$ select 1 $$',
  'create trigger mine before update on lead for each row execute function landing_page_changed_fn()',
  'create index mine on lead (email)',
  'alter table lead add column mine int',
  'alter table lead disable trigger all',
  'drop table delivery_attempt',
  'truncate delivery_attempt',
  'insert into mikro_orm_migrations (name) values (current_date::text)',
  'update mikro_orm_migrations set name = name',
  'delete from mikro_orm_migrations',
  'update installation set id = gen_random_uuid()',
  'delete from installation',
  'grant leadback_owner to leadback_api',
  'set role leadback_owner',
  'set session_replication_role = replica',
  'alter role leadback_api createdb',
  'create role mine',
  'create database mine',
  `copy lead to '/tmp/leads'`,
  'select pg_read_file($$PG_VERSION$$)',
  'select lo_create(0)',
  'select lo_creat(-1)',
  'select lo_from_bytea(0, $$x$$)',
  'select lo_import($$/etc/hostname$$)',
  'delete from lead',
  'delete from client',
  'delete from conversion',
  'delete from account',
  'delete from api_key',
  'delete from landing_page',
  'delete from platform_connection',
  'delete from delivery_attempt',
];

const changesOfAudit = [
  `update audit_entry set actor = 'somebody else'`,
  'delete from audit_entry',
  'truncate audit_entry',
  'alter table audit_entry add column mine int',
  'drop table audit_entry',
];

const addEntry = `insert into audit_entry (actor, action, target) values ($1, 'key.revoke', 'key 1')`;

const beyond = `
  select c.relname, r.rolname from pg_class c, pg_roles r
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and r.rolname ~ '^leadback_' and r.rolname <> 'leadback_owner'
    and (has_table_privilege(r.oid, c.oid, 'truncate, references, trigger')
         or c.relispartition and r.rolname = any($1) and has_any_column_privilege(r.oid, c.oid, 'select, insert, update'))`;

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const;

describe('the roles of the apps', () => {
  let app: TestDatabase;
  let owner: Database;
  const pools = new Map<string, Database>();
  const poolOf = (name: (typeof apps)[number]): Pool => {
    const database = pools.get(name);
    if (database === undefined) throw new Error(`no role for ${name}`);
    return database.pool;
  };
  beforeAll(async () => {
    app = await givenDatabase();
    owner = await openDatabase({ url: app.ownerUrl, applicationName: 'test' });
    for (const name of apps) {
      pools.set(name, await openDatabase({ url: app.urlOf(name), applicationName: 'test', connectionsMax: 1 }));
    }
    // the default of every new database
    await owner.pool.query(
      `do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`,
    );
    await migrate(app.ownerUrl);
  });
  afterAll(() => Promise.all([app, owner, ...pools.values()].map((each) => each[Symbol.asyncDispose]())));

  it.each(forbidden)('forbids the role of each app to run: %s', async (statement) => {
    for (const name of apps) {
      await expect(poolOf(name).query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it.each(['landing', 'api', 'feedback-worker'] as const)(
    'forbids %s to act with the rights of all apps',
    async (name) => {
      for (const role of ['leadback_app', 'leadback_console']) {
        await expect(poolOf(name).query(`set role ${role}`)).rejects.toMatchObject({ code: '42501' });
      }
    },
  );

  it.each(apps)('refuses to migrate as the role of %s', async (name) => {
    const role = new URL(app.urlOf(name)).username;
    await expect(migrate(app.urlOf(name))).rejects.toThrow(`${role} may not change the schema`);
  });

  it('gives each app the rights that it needs on each table, and no others', async () => {
    const tables = await tablesOf(owner.pool);
    const found: Record<string, TableRights> = {};
    for (const { table, columns } of tables.filter(({ isPartition }) => !isPartition)) {
      const [landing = '', api = '', worker = '', console = ''] = await Promise.all(
        apps.map((name) => rightsOf(poolOf(name), table, columns)),
      );
      found[table] = { landing, api, worker, console };
    }
    expect(found).toEqual(tableRights);
  });

  it('gives no app rights on single partitions, nor more than to read and write rows', async () => {
    expect((await owner.pool.query(beyond, [appRoles])).rows).toEqual([]);
  });

  it('lets each app that may insert rows draw their ids', async () => {
    const { rows } = await owner.pool.query(
      `select s.relname as sequence, r.role from pg_depend d
       join pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_class t on t.oid = d.refobjid
       cross join unnest($1::text[]) as r(role)
       where d.classid = 'pg_class'::regclass and t.relnamespace = 'public'::regnamespace
         and has_sequence_privilege(r.role, s.oid, 'usage') <> has_any_column_privilege(r.role, t.oid, 'insert')`,
      [appRoles],
    );
    expect(rows).toEqual([]);
  });

  it.each(changesOfAudit)('lets apps add to the audit log and forbids them to run: %s', async (statement) => {
    for (const [name, actor] of [
      ['api', 'key 1'],
      ['feedback-worker', 'leadback'],
      ['console', 'ana@example.com'],
    ] as const) {
      await poolOf(name).query(addEntry, [actor]);
      await expect(poolOf(name).query(statement)).rejects.toMatchObject({ code: '42501' });
    }
    expect((await app.pool.query('select actor from audit_entry order by id limit 1')).rows).toEqual([
      { actor: 'key 1' },
    ]);
  });

  it.each([
    ['api', 'ana@example.com'],
    ['api', 'operator ana'],
    ['api', 'visitor'],
    ['feedback-worker', 'ana@example.com'],
    ['feedback-worker', 'key 1'],
    ['landing', 'leadback'],
  ] as const)('forbids the role of %s to add to the audit log as %s', async (name, actor) => {
    await expect(poolOf(name).query(addEntry, [actor])).rejects.toMatchObject({ code: '42501' });
  });

  it('lets landing add leads, and choose the id of none', async () => {
    const landing = poolOf('landing');
    const add = (columns: string, values: string) =>
      landing.query(
        `insert into lead (account_id, landing_page_id, reference, click_parameters${columns}) values (1, 1, $1, '{}'${values})`,
        [unique('reference')],
      );
    await add('', '');
    await expect(add(', id', ', 1000000')).rejects.toMatchObject({ code: '42501' });
  });

  it('lets the api complete an erasure in the name of who asked for it, and of nobody else', async () => {
    const { id: account } = await givenAccount(app.em());
    await app.pool.query(
      `insert into erasure (id, account_id, asked_by, actor, named_by, subject) values ('e1', $1, 'partner', 'ana@example.com', 'lead', 'x')`,
      [account],
    );
    const complete = (actor: string) =>
      poolOf('api').query(
        `insert into audit_entry (actor, action, account_id, target) values ($1, 'client.erase', $2, 'erasure e1')`,
        [actor, account],
      );
    await complete('ana@example.com');
    await expect(complete('bo@example.com')).rejects.toMatchObject({ code: '42501' });
  });

  it('lets no app set the key of an account, but the console, which rotates and drops it', async () => {
    const { id } = await givenAccount(app.em());
    const replace = (pool: Pool, key: string | null) =>
      pool.query('update account set data_key = $2 where id = $1', [id, key]);
    for (const name of ['landing', 'api', 'feedback-worker'] as const) {
      await expect(replace(poolOf(name), 'other')).rejects.toMatchObject({ code: '42501' });
    }
    await replace(poolOf('console'), 'other');
  });

  it('lets the console delete a connection, and the worker end what waits for it', async () => {
    const em = app.em();
    const connection = await givenConnection(em);
    await givenWebhook(em, { account: await connection.account.loadOrFail() });
    const { id } = await givenDelivery(em, { connection });
    const deletion = { actor: 'ana@example.com', id: connection.id, isDiscarding: true };
    expect(await deleteConnection(poolOf('console'), { secretsKeys }, deletion)).toBe(1);
    while (await endDeliveriesOfDeleted(poolOf('feedback-worker')));
    expect((await app.pool.query('select state from delivery where id = $1', [id])).rows).toEqual([
      { state: 'skipped' },
    ]);
  });

  it('lets the worker end what became too old while its connection was paused, and shorten its parcel', async () => {
    const em = app.em();
    const connection = await givenConnection(em, { state: 'paused' });
    await givenWebhook(em, { account: await connection.account.loadOrFail() });
    const [{ id: old }, { id: young }] = [
      await givenDelivery(em, { connection }),
      await givenDelivery(em, { connection }),
    ];
    await app.pool.query(`update delivery set occurred_at = now() - interval '8 days' where id = $1`, [old]);
    await app.pool.query(
      `update delivery_due set delivery_ids = $1, oldest_at = now() - interval '8 days'
       where id = (select parcel_id from delivery where id = $2)`,
      [[old, young], old],
    );
    await app.pool.query('delete from delivery_due where id = (select parcel_id from delivery where id = $1)', [young]);
    await app.pool.query(
      'update delivery set parcel_id = (select parcel_id from delivery where id = $1) where id = $2',
      [old, young],
    );
    while (await endTooOldDeliveries(poolOf('feedback-worker')));
    const { rows } = await app.pool.query('select state from delivery where id = any($1) order by id', [[old, young]]);
    expect(rows).toEqual([{ state: 'skipped' }, { state: 'pending' }]);
  });

  it('lets the api add and change webhooks, and no connection to a platform', async () => {
    const em = app.em();
    const account = await givenAccount(em);
    const { id } = await givenConnection(em, { account });
    const webhook = await givenWebhook(em, { account });
    const changes = [
      `settings = '{}'`,
      `credentials = ''`,
      `event_kinds = '{lead}'`,
      `state = 'paused'`,
      'verify_at = now()',
      'resumed_at = now()',
    ];
    for (const change of changes) {
      const sql = `update platform_connection set ${change} where id = $1`;
      await poolOf('api').query(sql, [webhook.id]);
      await expect(poolOf('api').query(sql, [id])).rejects.toMatchObject({ code: '42501' });
    }
    const add = (platform: string) =>
      poolOf('api').query(
        `insert into platform_connection (account_id, platform, settings, credentials, is_test)
         values ($1, $2, '{}', '', case $2 when 'webhook' then false end)`,
        [account.id, platform],
      );
    await add('webhook');
    await expect(add('meta')).rejects.toMatchObject({ code: '42501' });
  });

  it('lets only the apps that need them, and the shared role, call the functions that act with the rights of the owner', async () => {
    const { rows } = await owner.pool.query(
      `select f.oid::regprocedure::text as function, array_agg(r.rolname::text order by r.rolname) as callers
       from pg_proc f join pg_roles r on not r.rolsuper and has_function_privilege(r.oid, f.oid, 'execute')
       where f.pronamespace = 'public'::regnamespace and f.prosecdef and not pg_has_role(r.oid, f.proowner, 'usage')
         and r.rolname <> all($1)
       group by 1 order by 1`,
      [['leadback_app', 'leadback_console']],
    );
    const callers = ['leadback_landing'];
    expect(rows).toEqual([
      { function: 'apply_consent_withdrawals(text[])', callers },
      { function: 'apply_retention(text,text)', callers: ['leadback_api'] },
      { function: 'follow_promotion()', callers: ['leadback_api', 'leadback_feedback_worker', 'leadback_landing'] },
      {
        function: 'join_background_clicks(bigint[],boolean[],text[],boolean[])',
        callers: ['leadback_api', 'leadback_landing'],
      },
      { function: 'keep_attempt_partitions()', callers: ['leadback_api'] },
      { function: 'lead_has_client(bigint,text)', callers: ['leadback_api', 'leadback_landing'] },
      {
        function: 'remembered_clicks(bigint,boolean,text,jsonb,timestamp with time zone,jsonb)',
        callers: ['leadback_api', 'leadback_landing'],
      },
      { function: 'visitor_leads(text[],text[])', callers },
      { function: 'withdraw_consent(text)', callers },
      { function: 'withdraw_consent_in(bigint,text)', callers },
    ]);
    await expect(poolOf('api').query(`select withdraw_consent('x')`)).rejects.toMatchObject({ code: '42501' });
    await expect(poolOf('landing').query(`select consent from lead`)).rejects.toMatchObject({ code: '42501' });
    expect((await poolOf('landing').query(`select * from visitor_leads('{x}', '{null}')`)).rows).toEqual([]);
  });

  it('shows landing contact data of a lead for its proof alone, and no list of leads', async () => {
    const person = { name: 'Ana', email: 'a@b.example' };
    const clients = [await givenClient(app.em(), person), await givenClient(app.em(), person)] as const;
    const [lead, other] = [await clients[0].lead.loadOrFail(), await clients[1].lead.loadOrFail()];
    const proof = 'p'.repeat(22);
    for (const one of [lead, other]) {
      await owner.pool.query(
        `update lead set proof_hash = sha256(convert_to($2, 'UTF8')), contact = 'c' where id = $1`,
        [one.id, one.id === lead.id ? proof : 'other'],
      );
    }
    const landing = poolOf('landing');
    const show = async (references: readonly string[], proofs: readonly (string | null)[]) =>
      (await landing.query('select * from visitor_leads($1, $2)', [references, proofs])).rows;
    const hidden = {
      is_proven: false,
      is_registered: false,
      ...Object.fromEntries(['contact', 'data_key', 'client_contact'].map((column) => [column, null])),
    };
    const { rows: hashes } = await owner.pool.query<{ hash: string }>(
      `select encode(proof_hash, 'hex') as hash from lead where id = $1`,
      [lead.id],
    );
    for (const guess of [null, '', 'other', hashes[0]?.hash ?? '']) {
      expect(await show([lead.reference], [guess])).toMatchObject([{ reference: lead.reference, ...hidden }]);
    }
    expect(await show([lead.reference, other.reference], [proof, proof])).toMatchObject([
      { is_proven: true, contact: Buffer.from('c'), is_registered: true, client_contact: expect.any(Buffer) },
      hidden,
    ]);
    for (const [references, proofs] of [
      [Array.from({ length: 11 }, () => lead.reference), Array.from({ length: 11 }, () => null)],
      [[lead.reference], []],
    ] as const) {
      await expect(show(references, proofs)).rejects.toMatchObject({ code: '42501' });
    }
    for (const column of ['reference', 'id', 'proof_hash']) {
      await expect(landing.query(`select ${column} from lead`)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it.each([
    ['an email', { named_by: 'email' }],
    ['a partner', { asked_by: 'partner' }],
    ['somebody else', { actor: 'ana@example.com' }],
    ['tests', { is_test: true }],
  ])('forbids landing to ask for an erasure for %s', async (_, changed) => {
    const { id } = await givenAccount(app.em());
    const ask = (row: Readonly<Record<string, string | boolean>>) => {
      const asked = { asked_by: 'visitor', actor: 'visitor', named_by: 'lead', is_test: false, ...row };
      return poolOf('landing').query(
        `insert into erasure (id, account_id, asked_by, actor, named_by, is_test, subject) values (gen_random_uuid()::text, $1, $2, $3, $4, $5, 'x')`,
        [id, asked.asked_by, asked.actor, asked.named_by, asked.is_test],
      );
    };
    await ask({});
    await expect(ask(changed)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(['state', 'way', 'confirmed_by'])('forbids landing to say the %s of an erasure', async (column) => {
    const value = { state: 'asked', way: 'cookie', confirmed_by: 'partner' }[column];
    await expect(
      poolOf('landing').query(
        `insert into erasure (id, account_id, asked_by, actor, named_by, subject, ${column})
         values ('s-' || $1, 1, 'visitor', 'visitor', 'lead', 'x', $1)`,
        [value],
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('gives every function that acts with the rights of the owner a fixed schema', async () => {
    const { rows } = await owner.pool.query(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
         and proconfig is distinct from array['search_path=public, pg_temp']`,
    );
    expect(rows).toEqual([]);
  });

  it('limits lock waits and idle transactions of the role of each app', async () => {
    for (const name of apps) {
      const { rows } = await poolOf(name).query(
        `select name, setting from pg_settings where name in ('idle_in_transaction_session_timeout', 'lock_timeout') order by name`,
      );
      expect(rows).toEqual([
        { name: 'idle_in_transaction_session_timeout', setting: '10000' },
        { name: 'lock_timeout', setting: '500' },
      ]);
    }
  });
});
