import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { backfillPart, type BackfillCursor, nothingBackfilled } from '@leadback/core/connections/backfill';
import { AuditEntry, type Account, Delivery, type PlatformConnection } from '@leadback/db';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenContacts,
  givenDatabase,
  givenWebhook,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { parcelViolations } from '../../test/parcels.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('telling a new connection of earlier sales', async () => {
  const database = await shared(givenDatabase());
  const options = { contacts: givenContacts(), announce: () => {} };
  const registerSale = conversionRegistrar(database.pool, options);
  const adjust = conversionAdjuster(database.pool, options);

  const email = 'ana@x.example';
  const givenSales = async (account: Account, ...ages: readonly number[]) => {
    await givenClient(database.em(), { account, email });
    const ids: number[] = [];
    for (const [at, age] of ages.entries()) {
      const sale = { amount: String(10 + at), currency: 'USD', email, occurredAt: daysAgo(age) } as const;
      ids.push((await registerSale({ accountId: account.id, isTest: false }, sale)).id);
    }
    return ids;
  };
  const backfill = async (
    { id }: PlatformConnection,
    { isDryRun = false, ...range }: { isDryRun?: boolean; from?: string; to?: string } = {},
  ) => {
    let [sums, after]: [typeof nothingBackfilled, BackfillCursor | undefined] = [nothingBackfilled, undefined];
    do {
      const part = await backfillPart(database.pool, { id, actor: 'ana', isDryRun, after, ...range }, sums);
      [sums, after] = [part.sums, part.next];
    } while (after);
    return sums;
  };
  const deliveriesOf = ({ id }: PlatformConnection) =>
    database.em().find(Delivery, { connection: id }, { orderBy: { id: 'asc' } });

  it('queues each that the platform still takes once, and says what they are worth', async () => {
    const account = await givenAccount(database.em());
    const google = await givenConnection(database.em(), { account, platform: 'google' });
    const [old, first, second] = await givenSales(account, 10, 3, 1);
    const meta = await givenConnection(database.em(), { account, platform: 'meta' });
    const [fresh] = await givenSales(account, 0);
    const sums = { conversions: 4, already: 1, tooOld: 1, retracted: 0, queued: 2, amounts: { USD: '23.00' } };
    expect(await backfill(meta, { isDryRun: true })).toEqual(sums);
    expect((await deliveriesOf(meta)).map(({ conversion }) => conversion?.id)).toEqual([fresh]);
    expect(await backfill(meta)).toEqual(sums);
    expect(await backfill(meta)).toEqual({ ...sums, already: 3, queued: 0, amounts: {} });
    expect((await deliveriesOf(meta)).map(({ conversion, state }) => [conversion?.id, state])).toEqual([
      [fresh, 'pending'],
      [first, 'pending'],
      [second, 'pending'],
    ]);
    expect((await deliveriesOf(google)).map(({ conversion }) => conversion?.id)).toEqual([old, first, second, fresh]);
    expect(await parcelViolations(database.pool)).toEqual([]);
    const entries = await database.em().find(AuditEntry, { accountId: account.id, action: 'connection.backfill' });
    expect(entries.map(({ actor, target }) => [actor, target])).toEqual([
      ['ana', `connection ${meta.id}`],
      ['ana', `connection ${meta.id}`],
    ]);
  });

  it('queues the sales of the range alone', async () => {
    const account = await givenAccount(database.em());
    const [, second] = await givenSales(account, 3, 2, 1);
    const connection = await givenConnection(database.em(), { account });
    const range = { from: daysAgo(2.5), to: daysAgo(1.5) };
    expect(await backfill(connection, range)).toMatchObject({ conversions: 1, queued: 1 });
    expect((await deliveriesOf(connection)).map(({ conversion }) => conversion?.id)).toEqual([second]);
  });

  it('lets corrections follow their sales, and leaves out what was taken back', async () => {
    const account = await givenAccount(database.em());
    const [kept = 0, gone = 0] = await givenSales(account, 2, 1);
    const mode = { accountId: account.id, isTest: false };
    const { id } = await adjust(mode, { conversionId: kept, kind: 'restate', amount: '4' });
    await adjust(mode, { conversionId: gone, kind: 'retract' });
    const connection = await givenConnection(database.em(), { account, platform: 'google' });
    expect(await backfill(connection)).toMatchObject({ retracted: 1, queued: 1, amounts: { USD: '4.00' } });
    const deliveries = await deliveriesOf(connection);
    expect(deliveries.map(({ conversion, adjustment }) => [conversion?.id, adjustment?.id])).toEqual([
      [kept, undefined],
      [undefined, id],
    ]);
  });

  it('queues nothing twice if two do it at once, whatever the number of parts', async () => {
    const account = await givenAccount(database.em());
    await givenClient(database.em(), { account, email });
    const mode = { accountId: account.id, isTest: false };
    const sale = { amount: '1', currency: 'USD', email } as const;
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 401 }, () => registerSale(mode, sale)));
    }
    const connection = await givenConnection(database.em(), { account });
    const all = await Promise.all([backfill(connection), backfill(connection)]);
    expect(all.map(({ conversions }) => conversions)).toEqual([1_203, 1_203]);
    expect(all.reduce((sum, { queued }) => sum + queued, 0)).toBe(1_203);
    expect(await deliveriesOf(connection)).toHaveLength(1_203);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('refuses a connection that is told of no sales', async () => {
    const connection = await givenConnection(database.em(), { eventKinds: ['lead'] });
    const webhook = await givenWebhook(database.em());
    for (const { id } of [connection, webhook]) {
      const toldOf = backfillPart(database.pool, { id, actor: 'ana', isDryRun: false }, nothingBackfilled);
      await expect(toldOf).rejects.toThrow(`connection ${id} is not told of conversions`);
    }
  });
});
