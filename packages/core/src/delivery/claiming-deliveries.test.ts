import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import {
  claimParcelsOfConnections,
  claimSuspectParcel,
  failCrashedDeliveries,
  parcelClaimer,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import { dueFinder } from '@leadback/core/delivery/due';
import { parcelSettler } from './settle.ts';
import { Delivery, DeliveryDue, isDatabaseUnavailable, isStatementTimeout, openPool } from '@leadback/db';
import {
  givenConnection,
  givenContacts,
  givenDatabase,
  givenManyDeliveries,
  shared,
  tcpProxy,
} from '@leadback/testing';
import { describe, expect, it, vi } from 'vitest';
import { claimDue, comesDue, givenParcel, parcelOf } from '../../test/parcels.ts';

const postponed = { state: 'pending', reason: 'circuit_open', isCounted: false, attempt: null } as const;

describe('claiming parcels', async () => {
  const database = await shared(givenDatabase());

  type Options = Omit<Parameters<typeof givenParcel>[1], 'connection'>;
  const given = async (options: Options = {}) => {
    const connection = await givenConnection(database.em());
    return { connection, ...(await givenParcel(database, { connection, ...options })) };
  };
  const claim = (id: number) => parcelClaimer(database.pool, givenContacts())(id);
  const stored = (id: number) => database.em().findOneOrFail(Delivery, id);

  it('claims no parcel that was settled, is claimed or is not due', async () => {
    const [claimed, later] = [await given({ isClaimed: true, dueInSeconds: 60 }), await given({ dueInSeconds: 60 })];
    const claimOne = parcelClaimer(database.pool, givenContacts());
    expect(await Promise.all([claimed.id, later.id, 1e12].map((id) => claimOne(id)))).toEqual([null, null, null]);
  });

  it('claims a parcel once if two hints name it', async () => {
    const { id } = await given();
    const claimOne = parcelClaimer(database.pool, givenContacts());
    const [first, ...others] = (await Promise.all([claimOne(id), claimOne(id), claim(id)])).filter(
      (parcel) => parcel !== null,
    );
    expect(first).toMatchObject({ id, claim: 1 });
    expect(others).toEqual([]);
  });

  it('claims a parcel without the deliveries that are closed', async () => {
    const { id, deliveryIds } = await given({ size: 3 });
    const [closed = 0, ...open] = deliveryIds;
    await database.pool.query(`update delivery set state = 'delivered' where id = $1`, [closed]);
    expect((await claim(id))?.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(open);
  });

  it('claims a parcel of closed deliveries, so that it can be settled', async () => {
    const { id, deliveryIds } = await given({ size: 2 });
    await database.pool.query(`update delivery set state = 'failed' where id = any($1)`, [deliveryIds]);
    const parcel = await claim(id);
    expect(parcel?.deliveries).toEqual([]);
    if (parcel) await parcelSettler(database.pool)({ parcel, deliveries: [] });
    expect(await claim(id)).toBeNull();
    expect(await database.em().findOne(DeliveryDue, { id })).toBeNull();
  });

  it('gives each delivery of a parcel that has lost three leases a parcel of its own', async () => {
    const suspect = await given({ size: 3, leasesLost: 2 });
    const innocent = await given({ size: 2, leasesLost: 1 });
    expect([await claim(suspect.id), (await claim(innocent.id))?.id]).toEqual([null, innocent.id]);
    expect(await claimDue(database.pool, suspect.connection.id)).toEqual([]);
    expect(await splitSuspectParcels(database.pool)).toBe(3);
    for (const id of suspect.deliveryIds) {
      expect(await parcelOf(database, id)).toMatchObject({ deliveryIds: [id], claimsLost: 3, claim: 3 });
    }
    const taken = [
      await claimSuspectParcel(database.pool, givenContacts()),
      await claimSuspectParcel(database.pool, givenContacts()),
    ];
    expect(taken.map((parcel) => parcel?.deliveries.length)).toEqual([1, 1]);
    await claimSuspectParcel(database.pool, givenContacts());
  });

  it('fails a delivery that has lost five leases, and no other', async () => {
    const crashed = await given({ leasesLost: 4 });
    const suspect = await given({ leasesLost: 3 });
    expect(await failCrashedDeliveries(database.pool)).toEqual([
      { deliveryId: crashed.deliveryIds[0], platform: 'meta' },
    ]);
    const { state, reason, closedAt } = await stored(crashed.deliveryIds[0] ?? 0);
    expect([state, reason, closedAt instanceof Date]).toEqual(['failed', 'crashed', true]);
    expect((await stored(suspect.deliveryIds[0] ?? 0)).state).toBe('pending');
  });

  it.each([
    ['forgets lost leases when deliveries were sent', 'unavailable', 0],
    ['remembers lost leases of deliveries that were not sent', null, 2],
  ] as const)('%s', async (_, outcome, claimsLost) => {
    const { id, deliveryIds } = await given({ size: 2, leasesLost: 1 });
    const parcel = await claim(id);
    if (parcel === null) throw new Error('the parcel was not claimed');
    const attempt = outcome && { outcome, reason: null, httpStatus: 503, answer: null, durationMs: 1 };
    const deliveries = [{ ...postponed, deliveryIds, retryInMs: 60_000, attempt }];
    await parcelSettler(database.pool)({ parcel, deliveries });
    expect(await parcelOf(database, deliveryIds[0] ?? 0)).toMatchObject({ claimsLost, claim: 3 });
  });

  it('claims the oldest parcels of a connection once each, up to the wanted number of deliveries', async () => {
    const { connection, ...oldest } = await given({ size: 4, dueInSeconds: -90 });
    const parcels = [oldest];
    for (const dueInSeconds of [-80, -70, -60, 60]) {
      parcels.push(await givenParcel(database, { connection, size: 4, dueInSeconds }));
    }
    await given();
    const wanted = { connectionId: connection.id, deliveries: 6, dueSince: '-infinity' } as const;
    const first = await claimParcelsOfConnections(database.pool, [wanted], givenContacts());
    expect(first.map(({ id }) => id)).toEqual(parcels.slice(0, 2).map(({ id }) => id));
    const rounds = await Promise.all(
      [1, 2].map(() => claimParcelsOfConnections(database.pool, [wanted], givenContacts())),
    );
    expect(rounds.flat().map(({ id }) => id)).toEqual(parcels.slice(2, 4).map(({ id }) => id));
  });

  it('claims a postponed delivery when its pause is over', async () => {
    const { id, deliveryIds, connection } = await given({ size: 2 });
    const parcel = await claim(id);
    if (parcel === null) throw new Error('the parcel was not claimed');
    const [now = 0, later = 0] = deliveryIds;
    await parcelSettler(database.pool)({
      parcel,
      deliveries: [
        { ...postponed, deliveryIds: [now], retryInMs: 0 },
        { ...postponed, deliveryIds: [later], retryInMs: 60_000 },
      ],
    });
    expect(await claimDue(database.pool, connection.id)).toEqual([now]);
    await comesDue(database.pool, (await parcelOf(database, later)).id);
    expect(await claimDue(database.pool, connection.id)).toEqual([later]);
  });

  it('finds every active connection with due parcels, despite the backlog of one', async () => {
    const { connection: busy } = await given();
    for (let index = 0; index < 20; index += 1) await givenParcel(database, { connection: busy, dueInSeconds: -3_600 });
    const [other, later] = [await given(), await given({ dueInSeconds: 60 })];
    const paused = await givenConnection(database.em(), { state: 'paused' });
    await givenParcel(database, { connection: paused });
    const due = dueFinder(database.pool);
    const { connections } = await due.find();
    expect(connections).toEqual(
      expect.arrayContaining([busy, other.connection].map(({ id }) => ({ id, platform: 'meta' }))),
    );
    const found = connections.map(({ id }) => id);
    expect([found.includes(later.connection.id), found.includes(paused.id)]).toEqual([false, false]);
  });
});

/** The URL of a database whose statements end after so long. */
const withTimeout = (url: string, ms: number) => {
  const own = new URL(url);
  own.searchParams.set('options', `-c statement_timeout=${ms}`);
  return own.href;
};

const searching = (pool: Parameters<typeof dueFinder>[0]) => {
  const query = vi.spyOn(pool, 'query');
  const due = dueFinder(pool);
  return {
    find: () => due.find().catch((error: unknown) => error),
    expectReaches: (...reaches: (string | null)[]) =>
      expect(query.mock.calls).toMatchObject(reaches.map((reach) => [{ values: [[], [], reach] }])),
  };
};

it('searches for recent parcels alone if searching for all of them takes too long', async () => {
  await using database = await givenDatabase();
  await using owner = await openPool({ url: database.ownerUrl, applicationName: 'test' });
  await using slow = await openPool({
    url: withTimeout(database.url, 200),
    applicationName: 'test',
    hasNoStatementTimeout: true,
  });
  const { find, expectReaches } = searching(slow.pool);
  const other = await owner.pool.connect();
  await other.query('begin');
  await other.query('lock table delivery_due');
  expect(await find()).toSatisfy(isStatementTimeout);
  await other.query('rollback');
  other.release();
  expectReaches(null, '10 minutes');
});

it('does not search again if it has lost PostgreSQL', async () => {
  await using database = await givenDatabase();
  await using proxy = await tcpProxy(database.url);
  await using lost = await openPool({ url: proxy.url, applicationName: 'test' });
  const { find, expectReaches } = searching(lost.pool);
  expect(await find()).toMatchObject({ connections: [] });
  proxy.cut();
  expect(await find()).toSatisfy(isDatabaseUnavailable);
  expectReaches(null, null);
});

it('finds the deliveries of a resumed connection at once, however long they have been due', async () => {
  await using database = await givenDatabase();
  const connection = await givenConnection(database.em());
  const finder = dueFinder(database.pool);
  const foundIds = async () => (await finder.find()).connections.map(({ id }) => id);
  await givenManyDeliveries(database, { connection, rows: 1 });
  await database.pool.query(`update delivery_due set not_before = now() - interval '1 hour'`);
  expect(await foundIds()).toEqual([connection.id]);

  await pauseConnection(database.em(), connection.id);
  expect(await foundIds()).toEqual([]);
  await resumeConnection(database.em(), connection.id);
  expect(await foundIds()).toEqual([connection.id]);
  expect(Number(finder.dueSince(connection.id))).toBeLessThan(Date.now() - 3_599_000);
});
