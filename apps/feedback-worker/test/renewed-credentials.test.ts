import { PlatformConnection } from '@leadback/db';
import { keepRenewedCredentials, readConnection } from '@leadback/core/delivery/connections';
import { credentialsKeys, decryptCredentials } from '@leadback/domain/keys';
import { givenConnection, secretsKeys } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenWorker, type TestWorker } from './given-worker.ts';

describe('renewed refresh tokens', () => {
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await givenWorker();
  });
  afterAll(async () => worker[Symbol.asyncDispose]());

  const stored = (id: number) => worker.database.em().findOneOrFail(PlatformConnection, id);
  const tokenOf = async (id: number) => {
    const { account, credentials } = await stored(id);
    return decryptCredentials(credentialsKeys(secretsKeys), { id, accountId: account.id }, Buffer.from(credentials));
  };
  const aDayLater = (id: number) =>
    worker.database.pool.query(
      `update platform_connection set credentials_renewed_at = credentials_renewed_at - interval '25 hours' where id = $1`,
      [id],
    );
  const send = async (connectionId: number) => {
    const [id = 0] = await worker.givenMore(1, connectionId);
    await worker.deliver([id]);
    return worker.stored(id);
  };

  it('the worker keeps the refresh token that Microsoft issues, and goes on with that one a day later', async () => {
    const { id, connectionId } = await worker.givenDelivery({ connection: { platform: 'microsoft' } });
    await worker.deliver([id]);
    expect(await worker.stored(id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(await tokenOf(connectionId)).toMatchObject({ refreshToken: 'test-refresh~1', clientSecret: 'test-secret' });

    // the connection is opened again with the stored token, but the one that comes with it is not kept within the day
    expect(await send(connectionId)).toMatchObject({ state: 'delivered' });
    expect(await tokenOf(connectionId)).toMatchObject({ refreshToken: 'test-refresh~1' });
    const { version } = await stored(connectionId);
    expect(await send(connectionId)).toMatchObject({ state: 'delivered' });
    expect(await stored(connectionId)).toMatchObject({ version });

    await aDayLater(connectionId);
    const another = worker.startDelivery();
    const [last = 0] = await worker.givenMore(1, connectionId);
    await worker.deliver([last], another);
    expect(await tokenOf(connectionId)).toMatchObject({ refreshToken: 'test-refresh~2' });
  });

  it('of two workers that renew at once one is kept, and nothing replaces what an operator has entered since', async () => {
    const { id, account } = await givenConnection(worker.database.em(), { platform: 'microsoft' });
    const read = () => readConnection(worker.pool, { id, accountId: account.id });
    const before = await read();
    const workers = ['one', 'two'].map((text) => Buffer.from(text));
    await Promise.all(workers.map((renewed) => keepRenewedCredentials(worker.pool, before, renewed)));
    const { encryptedCredentials: kept, version } = await read();
    expect(workers).toContainEqual(kept);
    expect(version).toBe(before.version + 1);

    const entered = Buffer.from('entered');
    await worker.database.pool.query('update platform_connection set credentials = $2 where id = $1', [id, entered]);
    await aDayLater(id);
    await keepRenewedCredentials(worker.pool, { ...before, version }, Buffer.from('of an earlier version'));
    expect((await read()).encryptedCredentials).toEqual(entered);
  });
});
