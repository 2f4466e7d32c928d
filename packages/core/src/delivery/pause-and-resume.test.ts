import { Delivery, PlatformConnection } from '@leadback/db';
import { type ClaimedParcel, parcelClaimer } from '@leadback/core/delivery/claim';
import { dueFinder } from '@leadback/core/delivery/due';
import { parcelSettler, type SettledDeliveries } from './settle.ts';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { givenContacts, givenConnection, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { claimDue, givenParcel, parcelOf } from '../../test/parcels.ts';

const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
const retry = { state: 'pending', reason: 'HTTP 503', retryInMs: 0, isCounted: true, attempt: null } as const;

describe('pausing a connection', async () => {
  const database = await shared(givenDatabase());

  const given = async (size = 1) => {
    const connection = await givenConnection(database.em());
    return { connection, ...(await givenParcel(database, { connection, size })) };
  };
  const pause = (id: number) => pauseConnection(database.em(), id);
  const resume = (id: number) => resumeConnection(database.em(), id);
  const claimed = async (parcelId: number): Promise<ClaimedParcel> => {
    const parcel = await parcelClaimer(database.pool, givenContacts())(parcelId);
    if (parcel === null) throw new Error('the parcel was not claimed');
    return parcel;
  };
  const settle = (parcel: ClaimedParcel, outcome: Omit<SettledDeliveries, 'deliveryIds'>) => {
    const deliveryIds = parcel.deliveries.map(({ deliveryId }) => deliveryId);
    return parcelSettler(database.pool)({ parcel, deliveries: [{ ...outcome, deliveryIds }] });
  };
  const connectionOf = (id: number) => database.em().findOneOrFail(PlatformConnection, id);

  it('holds all deliveries of a paused connection until it is resumed', async () => {
    const { connection, deliveryIds } = await given(150);
    const second = await givenParcel(database, { connection, size: 50 });
    const other = await given();
    expect(await pause(connection.id)).toBe(200);
    expect((await connectionOf(connection.id)).state).toBe('paused');
    expect(await claimDue(database.pool, connection.id)).toEqual([]);
    expect((await dueFinder(database.pool).find()).connections).toEqual([
      { id: other.connection.id, platform: 'meta' },
    ]);

    expect(await resume(connection.id)).toBe(200);
    expect((await connectionOf(connection.id)).state).toBe('active');
    expect(await claimDue(database.pool, connection.id)).toEqual([...deliveryIds, ...second.deliveryIds]);
  });

  it('changes no delivery and no parcel, however many wait', async () => {
    const { connection, deliveryIds } = await given(20);
    const rows = async () => [
      await database.em().find(Delivery, { id: { $in: [...deliveryIds] } }),
      await parcelOf(database, deliveryIds[0] ?? 0),
    ];
    const before = await rows();
    await pause(connection.id);
    await resume(connection.id);
    expect(await rows()).toEqual(before);
  });

  it('neither pauses nor resumes a connection that does not exist', async () => {
    expect([await pause(999_999), await resume(999_999)]).toEqual([undefined, undefined]);
  });

  it('lets a worker finish a claimed delivery of a paused connection', async () => {
    const { id, connection, deliveryIds } = await given();
    const parcel = await claimed(id);
    await pause(connection.id);
    const { states } = await settle(parcel, {
      state: 'delivered',
      reason: null,
      retryInMs: null,
      isCounted: true,
      attempt,
    });
    expect([...states]).toEqual([[deliveryIds[0], 'delivered']]);
    expect(await resume(connection.id)).toBe(0);
  });

  it('holds a retry of a paused connection', async () => {
    const { id, connection, deliveryIds } = await given();
    const parcel = await claimed(id);
    await pause(connection.id);
    await settle(parcel, retry);
    expect(await claimDue(database.pool, connection.id)).toEqual([]);
    await resume(connection.id);
    expect(await claimDue(database.pool, connection.id)).toEqual(deliveryIds);
  });

  it('pauses without waiting for workers that are claiming or settling', async () => {
    const { id, connection, deliveryIds } = await given();
    const worker = await database.pool.connect();
    await worker.query('begin');
    await worker.query('select from delivery_due where id = $1 for update', [id]);
    await worker.query('select from delivery where id = any($1) for update', [deliveryIds]);
    expect(await pause(connection.id)).toBe(1);
    await worker.query('commit');
    worker.release();
    expect(await claimDue(database.pool, connection.id)).toEqual([]);
  });

  it('keeps a connection paused if the platform rejects a request in flight', async () => {
    const { id, connection } = await given();
    const parcel = await claimed(id);
    await pause(connection.id);
    const { isRejected } = await settle(parcel, { ...retry, attempt: { ...attempt, outcome: 'refused' } });
    expect(isRejected).toBe(false);
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'paused', stateReason: null });
  });

  it('counts each resume as a new version, so that earlier rejections count no more', async () => {
    const { connection } = await given();
    await pause(connection.id);
    await resume(connection.id);
    await resume(connection.id);
    expect(await connectionOf(connection.id)).toMatchObject({
      version: connection.version + 2,
      resumedAt: expect.any(Date),
    });
  });
});
