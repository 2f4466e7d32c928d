import { randomBytes } from 'node:crypto';
import { assertMigrated, assertSecretsKey, migrate, openDatabase, readMigrationFacts } from '@leadback/db';
import { givenAccount, givenDatabase, secretsKeys, unique } from '@leadback/testing';
import { asDatabaseRole, databaseRoles } from '@leadback/testing/stack';
import { describe, expect, inject, it } from 'vitest';
import { schemaDifferences } from './schema-differences.ts';

describe('migrations', () => {
  it('migrates the database to exactly the schema of the entities', async () => {
    await using database = await givenDatabase();
    await using owner = await openDatabase({ url: database.ownerUrl, applicationName: 'test' });
    expect(await schemaDifferences(owner)).toEqual([]);
  });

  it('runs each migration once if several processes start at the same time', async () => {
    await using database = await givenDatabase();
    await using owner = await openDatabase({ url: database.ownerUrl, applicationName: 'test' });
    await owner.pool.query('drop schema public cascade; create schema public');
    const { pending } = await readMigrationFacts(owner.em());
    expect(pending.length).toBeGreaterThan(0);
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.ownerUrl)));
    expect(runs.flat()).toEqual(pending);
  });
});

it('migrates the schema of 1.0.0 while its landing app records leads, which waits for less than a second', async () => {
  await using database = await givenDatabase();
  await using owner = await openDatabase({ url: database.ownerUrl, applicationName: 'test' });
  await owner.pool.query('drop schema public cascade; create schema public');
  await owner.orm.migrator.up({ to: 'initial' });
  const { pending: since } = await readMigrationFacts(owner.em());
  await owner.pool.query(`insert into account (name, data_key) values ('Shop', '\\x00')`);
  // as landing of 1.0.0 does it
  const record = (on: Pick<typeof owner.pool, 'query'>, reference: string) =>
    on.query(
      `insert into lead (account_id, landing_page_id, reference, click_parameters) values (1, 1, $1, '{"gclid": "1"}')`,
      [reference],
    );
  const busy = await owner.pool.connect();
  await busy.query('begin');
  await record(busy, 'before');
  const migrated = migrate(database.ownerUrl);
  const waits: number[] = [];
  for (let recorded = 0; recorded < 10; recorded += 1) {
    const startedAt = performance.now();
    await record(owner.pool, `during-${recorded}`);
    waits.push(performance.now() - startedAt);
  }
  await busy.query('commit');
  busy.release();
  expect(await migrated).toEqual(since);
  expect(Math.max(...waits)).toBeLessThan(1_000);
  await record(owner.pool, 'after');
  // as operators of 1.0.0 add a page, and what landing of 1.0.0 reads of it
  await owner.pool.query(
    `insert into landing_page (account_id, slug, target_url) values (1, 'offer', 'https://shop.example/')`,
  );
  expect(await schemaDifferences(owner)).toEqual([]);
  const { rows } = await owner.pool.query(
    `select sum(change)::int as counted, (select count(*)::int from lead where not is_test) as recorded from metric_increment`,
  );
  expect(rows).toEqual([{ counted: 12, recorded: 12 }]);
  // what ran is not run again if it was interrupted before it was noted
  await owner.pool.query(`delete from mikro_orm_migrations where name <> 'initial'`);
  expect(await migrate(database.ownerUrl)).toEqual(since);
  expect(await schemaDifferences(owner)).toEqual([]);
});

it('keeps the addresses of the pages of 1.0.0, whose apps go on creating, renaming and switching pages', async () => {
  await using database = await givenDatabase();
  await using owner = await openDatabase({ url: database.ownerUrl, applicationName: 'test' });
  await owner.pool.query('drop schema public cascade; create schema public');
  await owner.orm.migrator.up({ to: 'initial' });
  const run = (sql: string) => owner.pool.query(sql);
  await run(`insert into account (name, data_key) values ('Shop', '\\x00'), ('Other', '\\x00')`);
  const create = (account: number, slug: string) =>
    run(`insert into landing_page (account_id, slug, target_url) values (${account}, '${slug}', 'https://x.example/')`);
  await create(1, 'before');
  await migrate(database.ownerUrl);
  await create(1, 'after');
  await run(`update landing_page set slug = 'renamed' where slug = 'before'`);
  const { rows } = await run(
    'select slug, landing_page_id::int as page from landing_slug where scope = 0 order by slug',
  );
  expect(rows).toEqual([
    { slug: 'after', page: 2 },
    { slug: 'before', page: 1 },
    { slug: 'renamed', page: 1 },
  ]);
  await expect(create(2, 'after')).rejects.toMatchObject({ code: '23505' });
  await expect(create(2, 'before')).rejects.toMatchObject({ code: '23505' });
  await run(`update landing_page set is_on = false, deleted_at = now() where slug = 'after'`);
  await expect(run(`update landing_page set is_on = true where slug = 'after'`)).rejects.toThrow(
    'landing_page_deleted_check',
  );
});

const connected = (url: string) => openDatabase({ url, applicationName: 'test', connectionsMax: 1 });

it.each(Object.values(databaseRoles))(
  '%s sees that the database is migrated, and which migration is missing',
  async (role) => {
    await using migrated = await givenDatabase();
    await using asApp = await connected(asDatabaseRole(migrated.url, role));
    await expect(assertMigrated(asApp)).resolves.toBeUndefined();
    await using owner = await connected(migrated.ownerUrl);
    await owner.pool.query(`delete from mikro_orm_migrations where name = 'initial'`);
    await expect(assertMigrated(asApp)).rejects.toThrow(
      'the database is not migrated (missing: initial). Run `database migrate`',
    );
  },
);

it('an app with an empty database fails, and one without a database starts', async () => {
  const url = new URL(inject('postgresUrl'));
  await using server = await connected(url.href);
  url.pathname = unique('empty');
  await server.pool.query(`create database "${url.pathname.slice(1)}"`);
  await using empty = await connected(asDatabaseRole(url.href, databaseRoles.landing));
  await expect(assertMigrated(empty)).rejects.toThrow('the database is not migrated');
  await using unavailable = await connected('postgres://nobody@127.0.0.1:1/none');
  await expect(assertMigrated(unavailable)).resolves.toBeUndefined();
});

const another = randomBytes(32);

it.each(Object.values(databaseRoles))(
  '%s starts with the key of its accounts, also during a rotation, and with no other',
  async (role) => {
    await using database = await givenDatabase();
    await using asApp = await connected(asDatabaseRole(database.url, role));
    await expect(assertSecretsKey(asApp, [another])).resolves.toBeUndefined(); // no account yet
    await givenAccount(database.em());
    await expect(assertSecretsKey(asApp, secretsKeys)).resolves.toBeUndefined();
    await expect(assertSecretsKey(asApp, [another, ...secretsKeys])).resolves.toBeUndefined();
    await expect(assertSecretsKey(asApp, [another])).rejects.toThrow(
      'SECRETS_KEY is not the key of this database: it decrypts the key of no account. Set the SECRETS_KEY with which',
    );
  },
);

it('any key is fine while the database is unavailable: apps start without it', async () => {
  await using unavailable = await connected('postgres://nobody@127.0.0.1:1/none');
  await expect(assertSecretsKey(unavailable, [another])).resolves.toBeUndefined();
});
