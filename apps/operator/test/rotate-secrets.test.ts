import { randomBytes } from 'node:crypto';
import { credentialsKeys, PlatformConnection, encryptCredentials } from '@leadback/db';
import { givenConnection, secretsKey } from '@leadback/test-fixtures';
import { describe, expect, it, vi } from 'vitest';
import { findConnection } from '../src/find-connection.ts';
import { openCredentials } from '../src/open-credentials.ts';
import { givenOperator } from './given-operator.ts';

const fresh = randomBytes(32);
const env = (...keys: readonly Buffer[]) => ({ SECRETS_KEY: keys.map((key) => key.toString('base64')).join(',') });

describe('the credentials of all connections', () => {
  it('are sealed anew under the first key, and open without the other one then', async () => {
    await using operator = await givenOperator();
    const em = operator.database.em();
    const { id } = await givenConnection(em, { credentials: { accessToken: 'EAAB' } });
    await givenConnection(em, { platform: 'google' });

    expect(await operator.json('secrets rotate', env(secretsKey, fresh))).toMatchObject({ resealed: 0, kept: 2 });
    expect(await operator.json('secrets rotate', env(fresh, secretsKey))).toMatchObject({ resealed: 2, kept: 0 });
    expect(await operator.json('secrets rotate', env(fresh, secretsKey))).toEqual({
      resealed: 0,
      kept: 2,
      next: expect.stringContaining('may be taken away'),
    });
    expect(await operator.json('secrets rotate', env(fresh))).toMatchObject({ resealed: 0, kept: 2 });
    const connection = await findConnection(operator.database.em(), id);
    expect(openCredentials(connection, [fresh])).toEqual({ accessToken: 'EAAB' });
    expect(() => openCredentials(connection, [secretsKey])).toThrow('do not open');
  });

  it('keep what somebody gives while they are sealed anew', async () => {
    await using operator = await givenOperator();
    const { id, account } = await givenConnection(operator.database.em());
    const given = encryptCredentials(
      credentialsKeys([secretsKey]),
      { id, accountId: account.id },
      { accessToken: 'given meanwhile' },
    );
    const client = await operator.database.pool.connect();
    await client.query('begin');
    await client.query('update platform_connection set credentials = $2 where id = $1', [id, given]);
    const rotated = operator.json('secrets rotate', env(fresh, secretsKey));
    await vi.waitFor(
      async () => {
        const { rows } = await operator.database.pool.query(`select from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database() and application_name = 'leadback operator'`);
        expect(rows).toHaveLength(1);
      },
      { timeout: 20_000, interval: 50 },
    );
    await client.query('commit');
    client.release();
    expect(await rotated).toMatchObject({ resealed: 1 });
    const connection = await findConnection(operator.database.em(), id);
    expect(openCredentials(connection, [fresh])).toEqual({ accessToken: 'given meanwhile' });
  });

  it('that open under no key are named, and may be given anew, whole', async () => {
    await using operator = await givenOperator();
    const em = operator.database.em();
    const { id, account } = await givenConnection(em, { settings: { pixelId: '77' } });
    const moved = await givenConnection(em);
    await em.nativeUpdate(PlatformConnection, { id }, { credentials: moved.credentials });

    const { status, out, err } = await operator.type('secrets rotate', env(fresh, secretsKey));
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain('1 sealed anew, 0 were already');
    expect(err).toContain(`connection ${id} (account ${account.id})`);
    expect((await operator.type(`connection change ${id} --event-name Lead`, env(fresh))).err).toContain(
      `\`connection change ${id}\` takes all of them anew`,
    );
    await operator.json(`connection change ${id} --access-token new`, env(fresh));
    const connection = await findConnection(operator.database.em(), id);
    expect(connection.settings).toMatchObject({ pixelId: '77' });
    expect(openCredentials(connection, [fresh])).toEqual({ accessToken: 'new' });
  });

  it('are not needed by commands that have nothing to do with them', async () => {
    await using operator = await givenOperator();
    const without = { SECRETS_KEY: undefined };
    expect(await operator.json('account list', without)).toEqual([]);
    expect((await operator.type('secrets rotate', without)).err).toBe(
      'this command needs SECRETS_KEY; .env.example has a line on it\n',
    );
  });
});
