import { createCell, inCell, openDatabase, readIdSequences } from '@leadback/db';
import { givenAccount, givenConversion, givenDatabase, type TestDatabase, openPatientPool } from '@leadback/testing';
import { Migration } from '@mikro-orm/migrations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const rangesOf = async ({ ownerUrl }: TestDatabase): Promise<ReadonlyMap<string, number | undefined>> => {
  await using owner = await openPatientPool({ url: ownerUrl, applicationName: 'test' });
  const sequences = await readIdSequences(async (sql) => (await owner.pool.query(sql)).rows);
  return new Map(sequences.map(({ table, cell }) => [table, cell]));
};

const run = async ({ ownerUrl }: TestDatabase, statement: string): Promise<unknown[]> => {
  await using owner = await openPatientPool({ url: ownerUrl, applicationName: 'test' });
  return (await owner.pool.query(statement)).rows;
};

const idsSchema = z.array(z.object({ id: z.coerce.number() }));
const idsIn = async (database: TestDatabase, table: string): Promise<number[]> =>
  idsSchema.parse((await database.pool.query(`select id from ${table}`)).rows).map(({ id }) => id);

class Later extends Migration {
  override up(): void {
    this.addSql('create table later (id bigserial primary key)');
  }
}

describe('createCell', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await givenDatabase();
  });
  afterEach(() => database[Symbol.asyncDispose]());

  it('gives the ids of all tables a range that no other cell has', async () => {
    await using other = await givenDatabase();
    await createCell(database.ownerUrl, 1);
    await createCell(other.ownerUrl, 2);
    const both = [database, other];
    await Promise.all(both.map((cell) => givenConversion(cell.em())));
    for (const table of ['account', 'landing_page', 'lead', 'client', 'conversion', 'metric_increment']) {
      const [ofOne, ofOther] = await Promise.all(both.map((cell) => idsIn(cell, table)));
      expect(ofOne?.length).toBeGreaterThan(0);
      expect(ofOne?.every((id) => id > 1e12 && id < 2e12)).toBe(true);
      expect(ofOther?.every((id) => id > 2e12 && id < 3e12)).toBe(true);
    }
  });

  it('refuses the first id of the next cell', async () => {
    await createCell(database.ownerUrl, 1);
    await run(database, `select setval('conversion_id_seq', 1999999999999)`);
    await expect(givenConversion(database.em())).rejects.toThrow(/reached maximum value/);
  });

  it('gives every table with ids the range, and leaves the list of migrations alone', async () => {
    await createCell(database.ownerUrl, 8_999);
    const ranges = await rangesOf(database);
    expect(ranges.size).toBeGreaterThan(20);
    expect(new Set(ranges.values())).toEqual(new Set([8_999]));
    expect(ranges.has('mikro_orm_migrations')).toBe(false);
    const { id } = await givenAccount(database.em());
    expect(Number.isSafeInteger(id)).toBe(true);
  });

  it('migrates an empty database, and changes nothing when it runs again', async () => {
    await run(database, 'drop schema public cascade; create schema public');
    const ids = { first: 3_000_000_000_001, last: 3_999_999_999_999 };
    const runs = await Promise.all([createCell(database.ownerUrl, 3), createCell(database.ownerUrl, 3)]);
    expect(runs.map(({ kind }) => kind)).toEqual(['created', 'created']);
    const { id } = await givenAccount(database.em());
    expect(await createCell(database.ownerUrl, 3)).toEqual({ kind: 'created', migrations: [], ids });
    expect((await givenAccount(database.em())).id).toBe(id + 1);
  });

  it('makes an installation in use cell 0, whose ids go on where they are', async () => {
    const { id } = await givenAccount(database.em());
    expect(await createCell(database.ownerUrl, 0)).toMatchObject({ kind: 'created', ids: { first: 1 } });
    expect((await givenAccount(database.em())).id).toBe(id + 1);
    expect(new Set((await rangesOf(database)).values())).toEqual(new Set([0]));
  });

  it('refuses a database whose rows have other ids, and changes nothing', async () => {
    const { id } = await givenAccount(database.em());
    const refusal = { kind: 'other-ids', table: 'account', ids: { first: id, last: id } };
    expect(await createCell(database.ownerUrl, 1)).toEqual(refusal);
    expect(new Set((await rangesOf(database)).values())).toEqual(new Set([undefined]));
  });

  it('refuses a database that is another cell', async () => {
    await createCell(database.ownerUrl, 4);
    expect(await createCell(database.ownerUrl, 5)).toEqual({ kind: 'other-cell', cell: 4 });
  });

  it('gives a table that a later migration adds the range of the cell, and another installation none', async () => {
    await using other = await givenDatabase();
    await createCell(database.ownerUrl, 7);
    for (const each of [database, other]) {
      await using owner = await openDatabase({ url: each.ownerUrl, applicationName: 'test' });
      const config = owner.orm.config.get('migrations');
      const later = inCell({ name: 'later', class: Later });
      owner.orm.config.set('migrations', { ...config, migrationsList: [...(config.migrationsList ?? []), later] });
      expect(await owner.orm.migrator.up()).toHaveLength(1);
    }
    expect((await rangesOf(database)).get('later')).toBe(7);
    expect((await rangesOf(other)).get('later')).toBeUndefined();
    const [next] = idsSchema.parse(await run(database, `select nextval('later_id_seq') as id`));
    expect(next?.id).toBe(7_000_000_000_001);
  });
});
