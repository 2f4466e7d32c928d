import { pauseConnection } from '@leadback/core/connections/store';
import { type ConnectionFunnel, readFunnels } from '@leadback/core/quality/funnel';
import { qualityRoller } from '@leadback/core/quality/quality';
import { type Account, Delivery, type PlatformConnection } from '@leadback/db';
import type { DeliveryState } from '@leadback/domain';
import { givenAccount, givenConnection, givenDatabase, givenManyDeliveries, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { qualityDifferences } from '../../test/quality-differences.ts';

interface Ended {
  readonly state?: Exclude<DeliveryState, 'pending'>;
  readonly reason?: string | null;
  readonly isConfirmed?: boolean | null;
}

const november = { from: '2026-11-01', to: '2026-11-30' };
const onDay = (day: number) => new Date(`2026-11-${String(day).padStart(2, '0')}T12:00:00Z`);
const count = (conversions: number, amount: string) => ({ conversions, money: [{ currency: 'USD', amount }] });
const lost = (step: string, reason: string, rows: number) => ({ step, reason, conversions: rows });
const none = { conversions: 0, money: [] };

describe('how far conversions come on their way to a platform', async () => {
  const database = await shared(givenDatabase());
  let account: Account;
  let google: PlatformConnection;
  beforeEach(async () => {
    account = await givenAccount(database.em());
    google = await givenConnection(database.em(), { account, platform: 'google' });
  });

  const read = (wanted: { from: string; to: string; connectionId?: number } = november) =>
    readFunnels(database.pool, { accountId: account.id, isTest: false }, wanted);
  const only = async (wanted?: Parameters<typeof read>[0]): Promise<ConnectionFunnel> => {
    const [funnel, ...others] = await read(wanted);
    if (!funnel || others.length > 0) throw new Error('expected one connection');
    return funnel;
  };

  type Sales = Omit<Parameters<typeof givenManyDeliveries>[1], 'rows' | 'connection'>;
  const pending = (rows: number, sales: Sales = {}, connection = google) =>
    givenManyDeliveries(database, { connection, rows, occurredAt: onDay(10), ...sales });
  const end = async (
    ids: readonly number[],
    { state = 'delivered', reason = null, isConfirmed = null }: Ended = {},
  ) => {
    const parcels = 'select parcel_id from delivery where id = any($1)';
    await database.pool.query(`delete from delivery_due where id in (${parcels})`, [ids]);
    await database
      .em()
      .nativeUpdate(
        Delivery,
        { id: { $in: [...ids] } },
        { state, reason, isConfirmed, parcelId: null, closedAt: new Date() },
      );
  };
  const ended = async (rows: number, how: Ended = {}, sales: Sales = {}, connection = google) =>
    end(await pending(rows, sales, connection), how);
  const skippedSales = { state: 'skipped', reason: 'no_match_keys' } as const;

  it('answers "42 sent, 7 shown": each step down of each day has its reasons, with counts and amounts', async () => {
    await ended(2, skippedSales);
    await ended(7, { isConfirmed: true });
    await ended(35, { state: 'failed', reason: 'CLICK_NOT_FOUND', isConfirmed: false });
    await ended(3, { isConfirmed: true }, { occurredAt: onDay(9), amount: '2.5' });
    const { days, total, ...connection } = await only();
    expect(connection).toEqual({
      connectionId: google.id,
      platform: 'google',
      label: google.destination,
      destination: google.destination,
      isConnectionDeleted: false,
      connectionState: 'active',
      isPartial: false,
    });
    expect(days.map(({ day }) => day)).toEqual(['2026-11-10', '2026-11-09']);
    expect(days[0]).toEqual({
      day: '2026-11-10',
      registered: count(44, '440.00'),
      eligible: count(42, '420.00'),
      sent: count(42, '420.00'),
      accepted: count(42, '420.00'),
      processed: count(7, '70.00'),
      losses: [
        { step: 'eligible', reason: 'no_match_keys', ...count(2, '20.00') },
        { step: 'processed', reason: 'CLICK_NOT_FOUND', ...count(35, '350.00') },
      ],
    });
    expect(days[1]).toMatchObject({ registered: count(3, '7.50'), processed: count(3, '7.50'), losses: [] });
    expect(total).toMatchObject({ registered: count(47, '447.50'), processed: count(10, '77.50') });
  });

  it('tells apart what the platform rejected, what it used, what it has yet to report, and what it never reports', async () => {
    await ended(1, { state: 'failed', reason: 'INVALID_VALUE: ana@x.example' });
    await ended(1, { state: 'failed', reason: 'the words of somebody' });
    await ended(1, { state: 'skipped', reason: 'event_too_old', isConfirmed: false });
    await ended(4);
    await ended(2, { isConfirmed: false });
    await ended(8, { isConfirmed: true });
    expect((await only()).total).toMatchObject({
      registered: { conversions: 17 },
      sent: { conversions: 17 },
      accepted: { conversions: 15 },
      processed: { conversions: 8 },
      losses: [
        lost('accepted', 'INVALID_VALUE', 1),
        lost('accepted', 'other', 1),
        lost('processed', 'not_reported_yet', 4),
        lost('processed', 'not_reported', 2),
        lost('processed', 'event_too_old', 1),
      ],
    });
    const meta = await givenConnection(database.em(), { account, platform: 'meta' });
    await ended(5, {}, {}, meta);
    const [, ofMeta] = await read();
    expect(ofMeta).toMatchObject({
      platform: 'meta',
      total: { accepted: count(5, '50.00'), processed: null, losses: [] },
    });
  });

  it('what waits is eligible and not sent, because of the connection or of its last attempt', async () => {
    const tried = await pending(1);
    await pending(2, { occurredAt: onDay(11) });
    await database.em().nativeUpdate(Delivery, { id: { $in: tried } }, { reason: 'HTTP 503: busy' });
    const unsent = (reason: string, rows: number, amount: string) => [{ step: 'sent', reason, ...count(rows, amount) }];
    expect((await only()).days).toMatchObject([
      { day: '2026-11-11', eligible: count(2, '20.00'), sent: none, losses: unsent('waiting', 2, '20.00') },
      { day: '2026-11-10', eligible: count(1, '10.00'), sent: none, losses: unsent('HTTP 503', 1, '10.00') },
    ]);
    await pauseConnection(database.em(), google.id);
    expect((await only()).total.losses).toEqual(unsent('connection_paused', 3, '30.00'));
    await database.pool.query(`update platform_connection set state = 'needs_attention' where id = $1`, [google.id]);
    expect((await only()).total.losses).toEqual(unsent('connection_needs_attention', 3, '30.00'));
  });

  it('counts the same before and after changes are rolled up, after retries, and after deliveries are deleted', async () => {
    const ids = await pending(4);
    await end(ids, { state: 'failed', reason: 'CLICK_NOT_FOUND', isConfirmed: false });
    await end(ids.slice(0, 1), { isConfirmed: true });
    const before = await read();
    expect(before[0]?.total).toMatchObject({ accepted: count(4, '40.00'), processed: count(1, '10.00') });
    expect(await qualityDifferences(database)).toEqual([]);
    while ((await qualityRoller()(database.pool, 1_000)) > 0);
    expect(await read()).toEqual(before);
    expect(await qualityDifferences(database)).toEqual([]);
    await database.asOwner('delete from delivery where connection_id = $1', [google.id]);
    expect(await read()).toEqual(before);
  });

  it('adds no amounts of different currencies, and counts no tests, no webhooks, no other accounts and no other days', async () => {
    await ended(1, {}, { currency: 'ARS', amount: '100' });
    await ended(1);
    await ended(1, {}, { isTest: true });
    await pending(1, { isTest: true });
    await ended(1, {}, { occurredAt: new Date('2026-12-01T00:00:00Z') });
    await ended(1, {}, {}, await givenConnection(database.em(), { platform: 'google' }));
    const money = [
      { currency: 'USD', amount: '10.00' },
      { currency: 'ARS', amount: '100.00' },
    ];
    expect((await only()).total).toMatchObject({ registered: { conversions: 2, money } });
    expect(await readFunnels(database.pool, { accountId: account.id, isTest: true }, november)).toEqual([]);
  });

  it('shows a connection without conversions, and one connection alone if it is asked for', async () => {
    const other = await givenConnection(database.em(), { account, platform: 'meta' });
    await ended(1, {}, {}, other);
    expect(await read()).toMatchObject([
      { connectionId: google.id, days: [], total: { registered: none, losses: [] } },
      { connectionId: other.id, total: { registered: count(1, '10.00') } },
    ]);
    expect(await read({ ...november, connectionId: other.id })).toMatchObject([{ connectionId: other.id }]);
    await database.pool.query('update platform_connection set deleted_at = now() where account_id = $1', [account.id]);
    // what it was told of stays known
    expect(await read()).toMatchObject([{ connectionId: other.id, isConnectionDeleted: true }]);
    const foreign = await givenConnection(database.em(), { platform: 'meta' });
    expect(await read({ ...november, connectionId: foreign.id })).toEqual([]);
  });

  it('names the ten most frequent reasons of a step, and adds up the others', async () => {
    for (let reason = 1; reason <= 12; reason += 1) {
      await ended(reason > 10 ? 1 : 2, { state: 'failed', reason: `CODE_${reason}` });
    }
    const { losses } = (await only()).total;
    expect(losses).toHaveLength(11);
    expect(losses.at(-1)).toMatchObject({ reason: 'other', conversions: 2 });
  });
});
