import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectionPool, openPool } from '@leadback/db';
import { givenAccount, givenDatabase, type TestDatabase } from '@leadback/testing';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const skipped = 100_000_000;
const pooler = join(import.meta.dirname, '..', '..', 'deploy', 'pgbouncer', 'pgbouncer.ini');
const [, connectQuery = ''] = /connect_query='(.*)'/.exec(readFileSync(pooler, 'utf8')) ?? [];

describe('the first connection of an app after a promotion', () => {
  let database: TestDatabase;
  let owner: ConnectionPool;
  beforeEach(async () => {
    database = await givenDatabase();
    owner = await openPool({ url: database.ownerUrl, applicationName: 'test' });
  });
  afterEach(async () => {
    await owner[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const connect = async (app: 'landing' | 'api' | 'feedback-worker' | 'console' = 'api'): Promise<unknown> => {
    const url = app === 'console' ? database.url : database.urlOf(app);
    await using own = await openPool({ url, applicationName: 'test', followsPromotions: true });
    return own.answers();
  };
  const serverNow = async () => {
    const { rows } = await owner.pool.query<{ server: string }>('select server from installation');
    return rows[0]?.server ?? '';
  };
  /** As if the last connection of an app was to another timeline or system. */
  const wasOn = (server: string) => owner.pool.query('update installation set server = $1', [server]);
  const nextAccount = async () => (await givenAccount(database.em())).id;
  const promotions = async () =>
    (await owner.pool.query(`select details from audit_entry where action = 'database.promoted'`)).rows;

  /** Whether the connection can still be used after `connect_query`, and the time-out of its statements. */
  const connectPooler = async (): Promise<unknown> => {
    const client = new Client({ connectionString: database.urlOf('api') });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(connectQuery);
      const { rows } = await client.query('show statement_timeout');
      return rows;
    } catch (error) {
      return error instanceof Error ? error.message : error;
    } finally {
      await client.end();
    }
  };
  const follow = (body: string) =>
    owner.pool.query(
      `create or replace function follow_promotion() returns boolean language plpgsql as $$ begin ${body} end $$`,
    );

  it('leaves ids as they are at the first start and at each later one', async () => {
    const first = await nextAccount();
    await connect();
    await connect('landing');
    expect(await nextAccount()).toBe(first + 1);
    expect(await serverNow()).toMatch(/^\d+\/1$/);
    expect(await promotions()).toEqual([]);
  });

  it.each(['landing', 'api', 'feedback-worker', 'console'] as const)(
    'moves all ids ahead once, whichever app it is of (%s)',
    async (app) => {
      await connect();
      const [system = ''] = (await serverNow()).split('/');
      const first = await nextAccount();
      await wasOn(`${system}/0`);
      await Promise.all([connect(app), connect(app), connect()]);
      const next = await nextAccount();
      expect(next).toBeGreaterThan(first + skipped);
      expect(next).toBeLessThan(first + 2 * skipped);
      expect(await promotions()).toEqual([{ details: { before: `${system}/0`, after: `${system}/1` } }]);
      const { rows } = await owner.pool.query<{ name: string }>(
        `select sequencename as name from pg_sequences where data_type = 'bigint'::regtype and coalesce(last_value, 0) < $1`,
        [skipped],
      );
      expect(rows).toEqual([]);
    },
  );

  it('moves ids further if several promotions passed unnoticed', async () => {
    await connect();
    const [system = ''] = (await serverNow()).split('/');
    const first = await nextAccount();
    await wasOn(`${system}/-2`);
    await connect();
    expect(await nextAccount()).toBeGreaterThan(first + 3 * skipped);
  });

  it('moves ids ahead in a backup that was restored to another server', async () => {
    const first = await nextAccount();
    await wasOn('1234567890123456789/7');
    await connect();
    expect(await nextAccount()).toBeGreaterThan(first + skipped);
  });

  describe('of PgBouncer', () => {
    const settings = [{ statement_timeout: '2500ms' }];
    const ended = 'terminating connection due to administrator command';

    it('moves all ids ahead, and sets what the apps set', async () => {
      const first = await nextAccount();
      await wasOn('1234567890123456789/7');
      expect(await connectPooler()).toEqual(settings);
      expect(await nextAccount()).toBeGreaterThan(first + skipped);
    });

    it.each([
      ['the server is a standby', 'return false;'],
      ['the ids could not be moved ahead', `raise exception 'canceling statement' using errcode = '55P03';`],
      ['that took too long', `raise exception 'canceling statement' using errcode = '57014';`],
    ])('is ended if %s', async (_, body) => {
      await follow(body);
      expect(await connectPooler()).toBe(ended);
    });

    it('is used while the database is not migrated', async () => {
      await owner.pool.query('drop function follow_promotion()');
      expect(await connectPooler()).toEqual(settings);
    });
  });

  it('stays within the ids of the cell', async () => {
    await owner.pool.query('alter sequence account_id_seq maxvalue 1000');
    await wasOn('1234567890123456789/7');
    await connect();
    const { rows } = await owner.pool.query('select last_value::int as last from account_id_seq');
    expect(rows).toEqual([{ last: 1000 }]);
  });
});
