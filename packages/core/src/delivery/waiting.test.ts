import { backfillPart, nothingBackfilled } from '@leadback/core/connections/backfill';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { readAttention, readOnTheirWay, readUntold } from '@leadback/core/delivery/waiting';
import type { Account } from '@leadback/db';
import { givenAccount, givenClient, givenConnection, givenContacts, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('what waits for a person', async () => {
  const database = await shared(givenDatabase());
  const options = { contacts: givenContacts(), announce: () => {} };
  const registerSale = conversionRegistrar(database.pool, options);
  const adjust = conversionAdjuster(database.pool, options);

  const email = 'ana@x.example';
  const givenBuyer = async () => {
    const account = await givenAccount(database.em());
    await givenClient(database.em(), { account, email });
    await givenClient(database.em(), { account, email, isTest: true });
    return account;
  };
  const sell = async (account: Account, amount: string, { days = 0, isTest = false } = {}) => {
    const sale = { amount, currency: 'USD', email, occurredAt: daysAgo(days) } as const;
    return (await registerSale({ accountId: account.id, isTest }, sale)).id;
  };
  const attention = ({ id: accountId }: Account, isTest = false) => readAttention(database.pool, { accountId, isTest });
  const reject = (id: number, reason: string) =>
    database.pool.query(`update platform_connection set state = 'needs_attention', state_reason = $2 where id = $1`, [
      id,
      reason,
    ]);

  it('is nothing while everything is sent by itself', async () => {
    const account = await givenBuyer();
    const connection = await givenConnection(database.em(), { account });
    await sell(account, '5');
    const { connections, untold } = await attention(account);
    expect([connections, untold.conversions]).toEqual([[], 0]);
    expect(await readOnTheirWay(database.pool, { accountId: account.id })).toMatchObject([
      { connectionId: connection.id, deliveries: 1, money: [{ currency: 'USD', amount: '5.00' }] },
    ]);
  });

  it('is a rejected connection with its reason, since when, and what waits for it in each mode', async () => {
    const account = await givenBuyer();
    const { id } = await givenConnection(database.em(), { account });
    await sell(account, '5', { days: 2 });
    await sell(account, '7', { days: 1 });
    await sell(account, '100', { isTest: true });
    const before = Date.now();
    await reject(id, '190: the token has expired');
    const [held] = (await attention(account)).connections;
    expect(held).toMatchObject({
      connectionId: id,
      platform: 'meta',
      state: 'needs_attention',
      reason: '190: the token has expired',
      deliveries: 2,
      conversions: 2,
      money: [{ currency: 'USD', amount: '12.00' }],
      isPartial: false,
    });
    expect(held?.since.getTime()).toBeGreaterThan(before - 60_000);
    expect(held?.oldestAt?.getTime()).toBeLessThan(before - 86_400_000);
    expect((await attention(account, true)).connections).toMatchObject([{ connectionId: id, conversions: 1 }]);
    expect(await readOnTheirWay(database.pool, { accountId: account.id })).toEqual([]);
  });

  it('is a paused connection only while deliveries wait for it, a rejected one always', async () => {
    const account = await givenBuyer();
    const paused = await givenConnection(database.em(), { account, platform: 'google' });
    await pauseConnection(database.em(), paused.id);
    const rejected = await givenConnection(database.em(), { account, platform: 'tiktok' });
    await reject(rejected.id, 'no');
    expect((await attention(account)).connections.map(({ connectionId }) => connectionId)).toEqual([rejected.id]);
    await sell(account, '5');
    const { connections } = await attention(account);
    expect(connections).toMatchObject([
      { connectionId: paused.id, state: 'paused', reason: null, deliveries: 1 },
      { connectionId: rejected.id, deliveries: 1 },
    ]);
    await resumeConnection(database.em(), paused.id);
    expect((await attention(account)).connections.map(({ connectionId }) => connectionId)).toEqual([rejected.id]);
  });

  it('is every live sale that no connection took, until one is told of it or it is taken back', async () => {
    const account = await givenBuyer();
    await givenConnection(database.em(), { account, eventKinds: ['lead'] });
    await sell(account, '5', { days: 3 });
    const restated = await sell(account, '7', { days: 2 });
    const gone = await sell(account, '9', { days: 1 });
    await sell(account, '100', { isTest: true });
    const mode = { accountId: account.id, isTest: false };
    await adjust(mode, { conversionId: restated, kind: 'restate', amount: '6' });
    await adjust(mode, { conversionId: gone, kind: 'retract' });
    expect((await attention(account)).untold).toMatchObject({
      conversions: 2,
      money: [{ currency: 'USD', amount: '11.00' }],
      isPartial: false,
      connectionIds: [],
    });
    expect(await readUntold(database.pool, mode, { from: daysAgo(2.5) })).toMatchObject({ conversions: 1 });

    const { id } = await givenConnection(database.em(), { account, platform: 'google' });
    expect((await attention(account)).untold).toMatchObject({ conversions: 2, connectionIds: [id] });
    const told = { id, actor: 'ana', isDryRun: true };
    await backfillPart(database.pool, told, nothingBackfilled);
    expect((await attention(account)).untold.conversions).toBe(2);
    await backfillPart(database.pool, { ...told, isDryRun: false }, nothingBackfilled);
    expect((await attention(account)).untold.conversions).toBe(0);
  });

  it('is no sale that is too old for the platforms of the account', async () => {
    const account = await givenBuyer();
    await sell(account, '5', { days: 30 });
    await sell(account, '5', { days: 100 });
    expect((await attention(account)).untold.conversions).toBe(1);
    await givenConnection(database.em(), { account, platform: 'meta' });
    expect((await attention(account)).untold.conversions).toBe(0);
    expect(await readUntold(database.pool, { accountId: account.id }, {})).toMatchObject({ conversions: 2 });
  });

  it('says when its figures are of the newest alone', async () => {
    const account = await givenBuyer();
    for (const amount of ['1', '2', '3']) await sell(account, amount);
    const mode = { accountId: account.id, isTest: false };
    expect((await readAttention(database.pool, mode, 2)).untold).toMatchObject({ conversions: 2, isPartial: true });
    expect((await readAttention(database.pool, mode, 4)).untold).toMatchObject({ conversions: 3, isPartial: false });
  });
});
