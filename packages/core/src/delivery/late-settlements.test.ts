import { Delivery, PlatformConnection } from '@leadback/db';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { resumeConnection } from '@leadback/core/connections/store';
import { givenContacts, givenConnection, givenDatabase, givenDelivery, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenParcel, parcelOf, parcelViolations } from '../../test/parcels.ts';
import { delivered, failed, rejected, settling, unavailable } from '../../test/settling.ts';

describe('settlements after another claim, and rejections of the connection', async () => {
  const database = await shared(givenDatabase());
  const worker = settling(database);

  const stored = (id: number) => database.em().findOneOrFail(Delivery, id);
  const stateOf = async ({ id }: { readonly id: number }) =>
    (await database.em().findOneOrFail(PlatformConnection, id)).state;

  it.each([
    ['a failure', failed],
    ['a retry', unavailable(10_000)],
    ['a rejection', rejected],
  ])('saves nothing of %s that a worker reports after its lease, when another has claimed', async (_name, outcome) => {
    const { id, connection } = await givenDelivery(database.em());
    const late = await worker.claimed(id);
    const current = await worker.claimed(id);
    expect((await worker.settle(late, outcome)).states).toEqual(new Map());
    expect([(await stored(id)).attempts, await stateOf(connection)]).toEqual([0, 'active']);
    await worker.settle(current, delivered);
    expect((await worker.settle(late, outcome)).states).toEqual(new Map());
    expect((await stored(id)).state).toBe('delivered');
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('keeps a delivery delivered, whatever a slower worker reports', async () => {
    const connection = await givenConnection(database.em());
    const { deliveryIds } = await givenParcel(database, { connection, size: 3 });
    const [id = 0, ...others] = deliveryIds;
    const late = await worker.claimed(id);
    const current = await worker.claimed(id);
    expect((await worker.settle(late, delivered, [id])).states).toEqual(new Map([[id, 'delivered']]));
    // the others wait for the worker that has claimed them
    expect((await parcelOf(database, others[0] ?? 0)).deliveryIds.map(Number)).toEqual(others);
    expect(await parcelViolations(database.pool)).toEqual([]);
    expect((await worker.settle(current, failed)).states).toEqual(new Map(others.map((other) => [other, 'failed'])));
    expect((await worker.settle(late, delivered)).states).toEqual(new Map(others.map((other) => [other, 'delivered'])));
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('sends deliveries of a rejected connection when it is resumed', async () => {
    const { id, connection } = await givenDelivery(database.em());
    expect((await worker.settle(await worker.claimed(id), rejected)).isRejected).toBe(true);
    expect(await database.em().findOneOrFail(PlatformConnection, connection.id)).toMatchObject({
      state: 'needs_attention',
      stateReason: 'token revoked',
    });
    const { id: parcelId } = await parcelOf(database, id);
    const claim = parcelClaimer(database.pool, givenContacts());
    expect(await claim(parcelId)).toBeNull();
    expect(await resumeConnection(database.em(), connection.id)).toBe(1);
    expect(await claim(parcelId)).toMatchObject({ id: parcelId });
  });

  it('restarts the retry period of a delivery when its connection is resumed', async () => {
    const { id, connection } = await givenDelivery(database.em());
    await worker.send(id, rejected);
    await database.pool.query(`update delivery set created_at = now() - interval '5 days' where id = $1`, [id]);
    await resumeConnection(database.em(), connection.id);
    expect(await worker.send(id, unavailable(10_000))).toBe('pending');
  });

  it('keeps a connection active that was changed or resumed since the rejected request', async () => {
    const { id, connection } = await givenDelivery(database.em());
    const parcel = await worker.claimed(id);
    await resumeConnection(database.em(), connection.id);
    expect((await worker.settle(parcel, rejected)).isRejected).toBe(false);
    expect(await stateOf(connection)).toBe('active');
    expect(await worker.claimed(id)).toMatchObject({ connection: { version: parcel.connection.version + 1 } });
  });
});
