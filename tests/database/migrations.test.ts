import { migrate, openDatabase, openPool } from '@leadback/db';
import { givenDatabase } from '@leadback/test-fixtures';
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
    await using owner = await openPool({ url: database.ownerUrl, applicationName: 'test' });
    await owner.pool.query('drop schema public cascade; create schema public');
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.ownerUrl)));
    expect(runs.flat()).toEqual([
      '2026-11-21-main-job',
      '2026-11-21-api-contract',
      '2026-11-21-landing-page',
      '2026-11-21-feedback',
      '2026-11-21-account-metrics',
      '2026-11-21-lead-trace',
      '2026-11-21-attempt-partitions',
      '2026-11-22-truthful-events',
      '2026-11-22-parcels',
      '2026-11-22-metric-lookups',
      '2026-11-22-imports',
      '2026-11-22-conversion-list',
      '2026-11-22-quality',
      '2026-11-22-adjustments',
      '2026-11-22-reconciliation',
      '2026-11-22-more-events',
      '2026-11-22-truthful-adjustments',
      '2026-11-22-bounded-tries',
      '2026-11-22-webhooks',
      '2026-11-22-console',
      '2026-11-22-find-and-erase',
      '2026-11-22-page-leads',
      '2026-11-22-issued-keys',
      '2026-11-22-console-files',
      '2026-11-22-passkeys',
      '2026-11-22-reason-codes',
      '2026-11-22-fewer-references',
      '2026-11-22-campaigns-per-day',
      '2026-11-23-account-keys',
      '2026-11-23-encrypted-contacts',
      '2026-11-23-erasures',
      '2026-11-23-erased-keys',
      '2026-11-23-visitor',
      '2026-11-23-visitor-contacts',
      '2026-11-23-visitor-clients',
      '2026-11-23-no-erasure-entries',
      '2026-11-23-counted-as',
      '2026-11-24-clients-counted-as',
      '2026-11-25-promotions',
      '2026-11-25-partial-indexes',
      '2026-11-25-leads-of-clients',
      '2026-11-26-same-account',
      '2026-11-28-verified-webhooks',
      '2026-11-28-own-actors',
      '2026-11-28-hidden-pages',
      '2026-11-28-due-requests',
      '2026-11-28-throttled',
      '2026-11-28-brought-campaigns',
      '2026-11-28-bytes-of-imports',
      '2026-11-28-proven-leads',
      '2026-11-28-missed-tls',
      '2026-11-28-changed-targets',
      '2026-11-28-invited-access',
      '2026-11-28-erasures-in-turn',
      '2026-11-28-scopes-of-keys',
      '2026-11-28-person-identities',
      '2026-11-28-refused-sign-ins',
      '2026-11-28-viewed-people',
      '2026-11-28-email-references',
    ]);
  });
});
