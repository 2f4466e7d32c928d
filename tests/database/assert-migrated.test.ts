import { assertMigrated, openDatabase } from '@leadback/db';
import { asDatabaseRole, databaseRoles } from '@leadback/testing/stack';
import { givenDatabase, unique } from '@leadback/testing';
import { expect, inject, it } from 'vitest';

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
