import { givenConnection, givenDelivery, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { decryptConnection } from '@leadback/core/connections/open';
import { findConnection } from '@leadback/core/connections/store';
import { givenOperator } from './given-operator.ts';

describe('the operator', async () => {
  const operator = await shared(givenOperator());

  const connect = (options?: Parameters<typeof givenConnection>[1]) => givenConnection(operator.database.em(), options);
  const stored = (id: number) => findConnection(operator.database.pool, { id });

  it('pauses and resumes a connection, and lists its pending deliveries', async () => {
    const connection = await connect();
    await givenDelivery(operator.database.em(), { connection });
    await givenDelivery(operator.database.em(), { connection, state: 'delivered' });
    const { id } = connection;
    const idle = await connect({ account: await connection.account.loadOrFail() });

    expect(await operator.json(`connection pause ${id}`)).toMatchObject({ id, state: 'paused', deliveries: 1 });
    expect(await operator.json(`connection pause ${id}`)).toMatchObject({
      state: 'paused',
      deliveries: 1,
      next: expect.stringContaining('conversions registered meanwhile are never reported over it'),
    });
    expect(await operator.json(`connection list --account ${connection.account.id}`)).toMatchObject([
      { id, state: 'paused', waiting: 1 },
      { id: idle.id, state: 'active', waiting: 0 },
    ]);
    expect(await operator.json(`connection resume ${id}`)).toEqual({ id, state: 'active', deliveries: 1 });
  });

  it('changes only the given options of a connection, and advises to resume it', async () => {
    const { id } = await connect({
      state: 'needs_attention',
      settings: { pixelId: '1', eventName: 'Lead', leadEventName: 'Contact', testEventCode: 'TEST1' },
      credentials: { accessToken: 'EAAB-old' },
    });
    const { out } = await operator.type(`connection change ${id} --access-token EAAB-new --json`);
    expect(JSON.parse(out)).toEqual({
      id,
      platform: 'meta',
      state: 'needs_attention',
      next: `\`connection resume ${id}\` sends the pending deliveries.`,
    });
    const changed = await stored(id);
    const settings = { pixelId: '1', eventName: 'Lead', leadEventName: 'Contact', testEventCode: 'TEST1' };
    expect(changed.settings).toEqual(settings);
    expect(decryptConnection(changed, secretsKeys)).toEqual({ accessToken: 'EAAB-new' });
    expect(changed.encryptedCredentials.includes('EAAB-new')).toBe(false);

    await operator.json(`connection change ${id} --pixel-id 22 --test-event-code= --event-name=`);
    const again = await stored(id);
    expect(again).toMatchObject({ state: 'needs_attention', settings: { pixelId: '22', eventName: 'Purchase' } });
    expect(again.settings).not.toHaveProperty('testEventCode');
    expect(decryptConnection(again, secretsKeys)).toEqual({ accessToken: 'EAAB-new' });
  });

  it('stores the secret of a Meta app encrypted, and removes it on request', async () => {
    const { id } = await connect();
    await operator.json(`connection change ${id} --app-secret 0123456789abcdef`);
    const withSecret = await stored(id);
    expect(decryptConnection(withSecret, secretsKeys)).toEqual({
      accessToken: 'test-token',
      appSecret: '0123456789abcdef',
    });
    expect(JSON.stringify(withSecret.settings)).not.toContain('0123456789abcdef');
    await operator.json(`connection change ${id} --access-token new`);
    expect(decryptConnection(await stored(id), secretsKeys)).toMatchObject({ appSecret: '0123456789abcdef' });
    await operator.json(`connection change ${id} --app-secret=`);
    expect(decryptConnection(await stored(id), secretsKeys)).toEqual({ accessToken: 'new' });
  });

  it('keeps both of two concurrent changes to a connection', async () => {
    const { id } = await connect({ platform: 'google' });
    await Promise.all([
      operator.json(`connection change ${id} --refresh-token 1//new`),
      operator.json(`connection change ${id} --client-secret new`),
    ]);
    expect(decryptConnection(await stored(id), secretsKeys)).toMatchObject({
      refreshToken: '1//new',
      clientSecret: 'new',
    });
  });

  it.each([
    ['connection pause 999999', 'there is no connection 999999'],
    ['connection change META', 'nothing to change'],
    ['connection change META --pixel-id x', '--pixel-id: expected the digits'],
    ['connection change META --access-token=', '--access-token: expected the access token'],
    ['connection change META --app-secret=not-in-one-piece\u00e9', '--app-secret: expected'],
    ['connection change META --refresh-token r', '--refresh-token: Meta has no such setting'],
    [
      'connection create --account 1 --platform meta --pixel-id 1 --access-token t --customer-id 1',
      '--customer-id: Meta has no such setting',
    ],
  ])('rejects "%s" with exit status 1 and says what to fix', async (line, message) => {
    const { id } = await connect();
    const { status, out, err } = await operator.type(line.replace('META', String(id)));
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });
});
