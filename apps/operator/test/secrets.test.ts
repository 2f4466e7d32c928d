import { randomBytes } from 'node:crypto';
import { parseEnv } from 'node:util';
import { decryptConnection } from '@leadback/core/connections/open';
import { findConnection } from '@leadback/core/connections/store';
import { Account, PlatformConnection } from '@leadback/db';
import {
  accountMasterKeys,
  connectionKeys,
  encryptCredentials,
  lookupHash,
  openAccountKey,
  secretsKeysSchema,
  writeAppKeys,
} from '@leadback/domain/keys';
import { eventually, givenAccount, givenConnection, secretsKey } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

const fresh = randomBytes(32);
const env = (...keys: readonly Buffer[]) => ({ SECRETS_KEY: keys.map((key) => key.toString('base64')).join(',') });

describe('secrets rotate', () => {
  it('re-encrypts all credentials with the first key, so that the other key can be removed', async () => {
    await using operator = await givenOperator();
    const em = operator.database.em();
    const { id } = await givenConnection(em, { credentials: { accessToken: 'EAAB' } });
    await givenConnection(em, { platform: 'google' });

    expect(await operator.json('secrets rotate', env(secretsKey, fresh))).toMatchObject({ resealed: 0, kept: 2 });
    expect(await operator.json('secrets rotate', env(fresh, secretsKey))).toMatchObject({ resealed: 2, kept: 0 });
    expect(await operator.json('secrets rotate', env(fresh, secretsKey))).toEqual({
      resealed: 0,
      kept: 2,
      sources: 0,
      secondFactors: 0,
      accountKeys: 0,
      askedErasures: 0,
      next: expect.stringContaining('Remove the other keys'),
    });
    expect(await operator.json('secrets rotate', env(fresh))).toMatchObject({ resealed: 0, kept: 2 });
    const connection = await findConnection(operator.database.pool, { id });
    expect(decryptConnection(connection, [fresh])).toEqual({ accessToken: 'EAAB' });
    expect(() => decryptConnection(connection, [secretsKey])).toThrow('cannot decrypt connection');
  });

  it('keeps credentials that change while all are re-encrypted', async () => {
    await using operator = await givenOperator();
    const { id, account } = await givenConnection(operator.database.em());
    const given = encryptCredentials(
      connectionKeys([secretsKey], 'meta'),
      { id, accountId: account.id },
      { accessToken: 'given meanwhile' },
    );
    const client = await operator.database.pool.connect();
    await client.query('begin');
    await client.query('update platform_connection set credentials = $2 where id = $1', [id, given]);
    const rotated = operator.json('secrets rotate', env(fresh, secretsKey));
    await eventually(async () => {
      const { rows } = await operator.database.pool.query(`select from pg_stat_activity
          where cardinality(pg_blocking_pids(pid)) > 0 and datname = current_database()
            and application_name = 'leadback operator'`);
      expect(rows).toHaveLength(1);
    });
    await client.query('commit');
    client.release();
    expect(await rotated).toMatchObject({ resealed: 1 });
    const connection = await findConnection(operator.database.pool, { id });
    expect(decryptConnection(connection, [fresh])).toEqual({ accessToken: 'given meanwhile' });
  });

  it('names connections that no key decrypts; a change with all credentials replaces theirs', async () => {
    await using operator = await givenOperator();
    const em = operator.database.em();
    const { id, account } = await givenConnection(em, { settings: { pixelId: '77' } });
    const moved = await givenConnection(em);
    await em.nativeUpdate(PlatformConnection, { id }, { credentials: moved.credentials });

    const { status, out, err } = await operator.type('secrets rotate', env(fresh, secretsKey));
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain('1 re-encrypted, 0 up to date');
    expect(err).toContain(`connection ${id} (account ${account.id})`);
    expect((await operator.type(`connection change ${id} --event-name Lead`, env(fresh))).err).toContain(
      `run \`connection change ${id}\` with all credentials`,
    );
    await operator.json(`connection change ${id} --access-token new`, env(fresh));
    const connection = await findConnection(operator.database.pool, { id });
    expect(connection.settings).toMatchObject({ pixelId: '77' });
    expect(decryptConnection(connection, [fresh])).toEqual({ accessToken: 'new' });
  });

  it('re-encrypts the keys of all accounts, and names those that no key decrypts', async () => {
    await using operator = await givenOperator();
    const { database } = operator;
    const account = await givenAccount(database.em());
    const hashUnder = async (...keys: readonly [Buffer, ...Buffer[]]) => {
      const { dataKey } = await database.em().findOneOrFail(Account, account.id);
      return lookupHash(
        openAccountKey(accountMasterKeys(keys), account.id, dataKey ?? Buffer.alloc(0)),
        'email',
        'ana@example.com',
      );
    };
    const before = await hashUnder(secretsKey);

    expect(await operator.json('secrets rotate', env(fresh, secretsKey))).toMatchObject({ accountKeys: 1 });
    expect(await operator.json('secrets rotate', env(fresh, secretsKey))).toMatchObject({ accountKeys: 0 });
    expect(await hashUnder(fresh)).toBe(before);
    await expect(hashUnder(secretsKey)).rejects.toThrow('unable to authenticate data');

    const { status, err } = await operator.type('secrets rotate', env(secretsKey));
    expect([status, err]).toEqual([1, expect.stringContaining(`cannot decrypt the key of account ${account.id}`)]);
  });

  it('requires SECRETS_KEY only for commands that use credentials', async () => {
    await using operator = await givenOperator();
    const without = { SECRETS_KEY: undefined };
    expect(await operator.json('account list', without)).toEqual([]);
    expect((await operator.type('secrets rotate', without)).err).toBe(
      'this command needs SECRETS_KEY; set it as .env.example shows\n',
    );
  });
});

const keys = [randomBytes(32), randomBytes(32)] as const;
const withoutDatabase = { DATABASE_URL: '', SECRETS_KEY: keys.map((key) => key.toString('base64')).join(',') };

describe('secrets keys', () => {
  it('prints lines for .env with the keys of each app, without a database', async () => {
    await using operator = await givenOperator();
    const { status, out } = await operator.type('secrets keys', withoutDatabase);
    expect(status).toBe(0);
    expect(parseEnv(out)).toEqual({
      LANDING_SECRETS_KEY: writeAppKeys(keys, 'landing'),
      API_SECRETS_KEY: writeAppKeys(keys, 'api'),
      FEEDBACK_WORKER_SECRETS_KEY: writeAppKeys(keys, 'feedback-worker'),
      CONSOLE_SECRETS_KEY: writeAppKeys(keys, 'console'),
    });
    const { out: one } = await operator.type('secrets keys --app landing', withoutDatabase);
    expect(secretsKeysSchema('landing').safeParse(one).success).toBe(true);
  });

  it('is in the audit log with the apps and without the keys, or says that it is not', async () => {
    await using operator = await givenOperator();
    const noDatabase = await operator.type('secrets keys --app api', withoutDatabase);
    expect(noDatabase).toMatchObject({ status: 0, err: expect.stringContaining('The audit log has no entry') });
    const unreachable = { ...withoutDatabase, DATABASE_URL: 'postgres://leadback_console:x@127.0.0.1:9/leadback' };
    const unreached = await operator.type('secrets keys --app api', unreachable);
    expect(unreached).toMatchObject({ status: 0, err: expect.stringContaining('The audit log has no entry') });
    const reached = await operator.type('secrets keys --app landing', {
      ...withoutDatabase,
      DATABASE_URL: operator.database.url,
    });
    expect(reached).toMatchObject({ status: 0, err: '' });
    const { rows } = await operator.database.pool.query('select actor, action, target, details from audit_entry');
    const actor = expect.stringMatching(/^operator /);
    const details = { apps: ['landing'] };
    expect(rows).toEqual([{ actor, action: 'secrets.printed', target: 'SECRETS_KEY', details }]);
  });

  it('needs the keys of the operator, not those of an app', async () => {
    await using operator = await givenOperator();
    const { status, err } = await operator.type('secrets keys', { SECRETS_KEY: writeAppKeys(keys, 'landing') });
    expect([status, err]).toEqual([1, expect.stringContaining('expected 32 bytes in base64')]);
  });
});
