import { type Database, migrate, readMigrationFacts } from '@leadback/db';
import { clientReader, conversionReader } from '@leadback/reports';
import { givenContacts, givenDatabase, openPatiently, type TestDatabase } from '@leadback/test-fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenOldFeedback } from '../support/given-old-feedback.ts';
import { schemaDifferences } from './schema-differences.ts';

const before = '2026-11-21-attempt-partitions';

// registers like the previous version: without event ids or client modes, and names the unique index
const oldRegistration = `
  with c as (
    insert into client (account_id, lead_id, external_reference)
    select account_id, lead_id, gen_random_uuid() from client where id = $1
    on conflict (account_id, external_reference) do nothing returning id, account_id)
  insert into conversion (account_id, client_id, amount, currency, external_reference)
  select account_id, id, 5, 'ARS', gen_random_uuid() from c on conflict do nothing`;

describe('the migration to truthful events', () => {
  let database: TestDatabase;
  let owner: Database;
  beforeEach(async () => {
    // how long the migration holds a lock depends on the machine
    database = await givenDatabase({ waitsForLocks: true });
    owner = await openPatiently({ url: database.ownerUrl, applicationName: 'test' });
    await owner.pool.query('drop schema public cascade; create schema public');
    await owner.orm.migrator.up({ to: before });
  });
  afterEach(async () => {
    await owner[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it('migrates while an api of the previous version registers conversions', async () => {
    const { clientId } = await givenOldFeedback(owner.pool);
    const over = new AbortController();
    let registered = 0;
    const failures: unknown[] = [];
    const register = async () => {
      while (!over.signal.aborted) {
        try {
          await owner.pool.query(oldRegistration, [clientId]);
          registered += 1;
        } catch (error) {
          failures.push(error);
        }
      }
    };
    const registering = [register(), register(), register()];
    await expect.poll(() => registered).toBeGreaterThan(20);
    const { pending } = await readMigrationFacts(owner.em());
    expect(await migrate(database.ownerUrl)).toEqual(pending);
    const then = registered;
    await expect.poll(() => registered).toBeGreaterThan(then + 20);
    over.abort();
    await Promise.all(registering);
    expect(failures).toEqual([]);
    expect(await schemaDifferences(owner)).toEqual([]);
  });

  it('finishes the migration to truthful events after an interrupted run', async () => {
    const { accountId, clientId } = await givenOldFeedback(owner.pool);
    await owner.pool.query(`alter table conversion add column event_id text;
      create unique index conversion_account_id_event_id_unique on conversion (account_id, event_id);
      alter table client add column is_test boolean not null default false`);
    await migrate(database.ownerUrl);
    expect(await schemaDifferences(owner)).toEqual([]);
    expect(await clientReader(owner.pool, givenContacts())({ accountId, isTest: false }, clientId)).toMatchObject({
      id: clientId,
    });
  });

  it('keeps event id, time and mode of existing rows, and creates one permanent installation id', async () => {
    const { accountId, conversionId } = await givenOldFeedback(owner.pool);
    await migrate(database.ownerUrl);
    const conversion = await conversionReader(owner.pool)({ accountId, isTest: false }, { id: conversionId });
    expect(conversion).toMatchObject({ eventId: String(conversionId), occurredAt: conversion?.createdAt });
    const { rows } = await owner.pool.query('select id from installation');
    expect(rows).toHaveLength(1);
    await expect(owner.pool.query('insert into installation default values')).rejects.toThrow(/installation_is_only/);
  });
});
