import { Delivery, DeliveryAttempt } from '@leadback/db';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { givenConnection, givenDatabase, givenDelivery, givenManyDeliveries, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { claimDue, parcelOf, parcelViolations } from '../../test/parcels.ts';

describe('requeueing delivery', async () => {
  const database = await shared(givenDatabase({ waitsForLocks: true }));

  const requeue = (...ids: number[]) => requeueDeliveries(database.em(), ids);
  const requeuesOf = (connection: number) =>
    database.em().count(DeliveryAttempt, { outcome: 'requeued', delivery: { connection } });

  it.each(['failed', 'skipped'] as const)(
    'makes a delivery that was %s pending and due like a new one',
    async (state) => {
      const { id, connection } = await givenDelivery(database.em(), { state, reason: 'no_match_keys' });
      expect(await requeue(id)).toEqual([id]);
      expect(await database.em().findOneOrFail(Delivery, id)).toMatchObject({
        state: 'pending',
        reason: null,
        closedAt: null,
        retriedSince: expect.any(Date),
      });
      expect(await parcelOf(database, id)).toMatchObject({ phase: 'waiting', claimsLost: 0 });
      expect(await claimDue(database.pool, connection.id)).toEqual([id]);
      expect(await database.em().find(DeliveryAttempt, { delivery: id })).toMatchObject([
        { outcome: 'requeued', reason: `was ${state}: no_match_keys`, httpStatus: null, answer: null },
      ]);
    },
  );

  it.each(['by its id', 'with its connection'])('requeues a delivered delivery with a note %s', async (way) => {
    const { id, connection, account } = await givenDelivery(database.em(), { state: 'delivered' });
    await database.em().nativeUpdate(Delivery, { id }, { note: 'the platform used it in part' });
    const key = { id: connection.id, accountId: account.id };
    await (way === 'by its id' ? requeue(id) : requeueDeliveriesOfConnection(database.em(), key));
    expect((await database.em().findOneOrFail(Delivery, id)).state).toBe('pending');
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it.each(['delivered', 'pending'] as const)('does not requeue a delivery that is %s', async (state) => {
    const { id, connection, account } = await givenDelivery(database.em(), { state });
    expect(await requeue(id)).toEqual([]);
    expect(await requeueDeliveriesOfConnection(database.em(), { id: connection.id, accountId: account.id })).toBe(0);
    expect((await database.em().findOneOrFail(Delivery, id)).state).toBe(state);
  });

  it.each(['paused', 'needs_attention'] as const)(
    'does not requeue a delivery while its connection is %s',
    async (state) => {
      const connection = await givenConnection(database.em(), { state });
      const { id } = await givenDelivery(database.em(), { connection, state: 'failed' });
      expect(await requeue(id)).toEqual([]);
      expect(
        await requeueDeliveriesOfConnection(database.em(), { id: connection.id, accountId: connection.account.id }),
      ).toBe(0);
    },
  );

  it('requeues a delivery once under concurrent retries', async () => {
    const connection = await givenConnection(database.em());
    const rows = await Promise.all(
      Array.from({ length: 20 }, () => givenDelivery(database.em(), { connection, state: 'failed' })),
    );
    const ids = rows.map(({ id }) => id);
    const rounds = await Promise.all([requeue(...ids), requeue(...ids.toReversed()), requeue(...ids), requeue(...ids)]);
    expect(rounds.flat().toSorted((one, other) => one - other)).toEqual(ids.toSorted((one, other) => one - other));
    expect(await requeuesOf(connection.id)).toBe(20);
  });

  it('requeues every delivery of a connection once under concurrent retries, and no others', async () => {
    const connection = await givenConnection(database.em());
    const neighbour = await givenConnection(database.em(), { account: await connection.account.loadOrFail() });
    await givenManyDeliveries(database, { connection, rows: 6_000, state: 'failed', reason: '190: expired' });
    await givenManyDeliveries(database, { connection, rows: 10, state: 'skipped', reason: 'no_match_keys' });
    await givenManyDeliveries(database, { connection: neighbour, rows: 10, state: 'failed', reason: '190: expired' });

    const ask = () =>
      requeueDeliveriesOfConnection(database.em(), {
        id: connection.id,
        accountId: connection.account.id,
        reason: '190:',
      });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one + other).toBe(6_000);
    expect(await requeuesOf(connection.id)).toBe(6_000);
    expect(await requeuesOf(neighbour.id)).toBe(0);
    const stillClosed = { connection, state: { $ne: 'pending' as const } };
    expect(await database.em().count(Delivery, stillClosed)).toBe(10);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });
});
