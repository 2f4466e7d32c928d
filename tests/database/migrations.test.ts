import { migrate, openDatabase, readMigrationFacts } from '@leadback/db';
import { givenDatabase } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
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
