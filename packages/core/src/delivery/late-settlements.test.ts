import { resumeConnection } from '@leadback/core/connections/store';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { type SettledDeliveries, parcelSettler } from './settle.ts';
import { Delivery, DeliveryAttempt, PlatformConnection } from '@leadback/db';
import { matchKeySet } from '@leadback/domain';
import {
  givenConnection,
  givenContacts,
  givenDatabase,
  givenDelivery,
  shared,
  openPatientPool,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { comesDue, givenParcel, parcelOf, parcelViolations } from '../../test/parcels.ts';
import { delivered, failed, rejected, settling, unavailable } from '../../test/settling.ts';
import { waitingForLocks } from '../../test/waiting-for-locks.ts';

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

it.each([
  ['delivered', delivered],
  ['to be sent again', unavailable(60_000)],
])('saves one attempt if a worker saves the outcome again while it is being committed: %s', async (_what, outcome) => {
  await using database = await givenDatabase();
  await using patient = await openPatientPool({
    url: database.url,
    applicationName: 'test',
    hasNoStatementTimeout: true,
  });
  const worker = settling({ ...database, pool: patient.pool });
  const connection = await givenConnection(database.em());
  const { deliveryIds } = await givenParcel(database, { connection, size: 3 });
  const parcel = await worker.claimed(deliveryIds[0] ?? 0);
  const slow = await patient.pool.connect();
  await slow.query('begin');
  await slow.query('select from delivery where id = $1 for update', [deliveryIds[0]]);
  const first = worker.settle(parcel, outcome);
  await waitingForLocks(database, 1);
  const again = worker.settle(parcel, outcome);
  await waitingForLocks(database, 2);
  await slow.query('rollback');
  slow.release();

  expect((await first).states).toEqual(new Map(deliveryIds.map((id) => [id, outcome.state])));
  expect((await again).states).toEqual(new Map());
  const attempts = await database.em().findAll(DeliveryAttempt);
  expect(attempts.map(({ delivery }) => delivery.id).toSorted((one, other) => one - other)).toEqual(deliveryIds);
  expect(await parcelViolations(database.pool)).toEqual([]);
});

const keys = matchKeySet({ email: true, phone: true });
const serverError = {
  outcome: 'unavailable',
  reason: 'HTTP 503',
  httpStatus: 503,
  answer: null,
  durationMs: 1,
} as const;

const retried = { state: 'pending', reason: 'HTTP 503', retryInMs: 0, isCounted: true, attempt: serverError } as const;
const skipped = { state: 'skipped', reason: 'consent', retryInMs: null, isCounted: false, attempt: null } as const;
const crashed = { state: 'failed', reason: 'crashed', retryInMs: null, isCounted: false, attempt: null } as const;

describe('the match keys of a delivery that is retried', async () => {
  const database = await shared(givenDatabase());

  it.each([
    ['skipped', 'those of no event: nothing was sent in the end', skipped, null],
    ['failed', 'those of the event that was sent last', crashed, keys],
  ] as const)('are, if it is %s in the end, %s', async (_state, _meaning, end, expected) => {
    const { pool } = database;
    const connection = await givenConnection(database.em());
    const { deliveryIds } = await givenParcel(database, { connection, size: 1 });
    const [id = 0] = deliveryIds;
    const settle = async (outcome: Omit<SettledDeliveries, 'deliveryIds' | 'matchKeys'>, matchKeys: number | null) => {
      const waiting = await parcelOf(database, id);
      await comesDue(pool, waiting.id);
      const parcel = await parcelClaimer(pool, givenContacts())(waiting.id);
      if (parcel === null) throw new Error('the parcel was not claimed');
      await parcelSettler(pool)({ parcel, deliveries: [{ ...outcome, deliveryIds, matchKeys: [matchKeys] }] });
      return database.em().findOneOrFail(Delivery, id);
    };
    expect(await settle(retried, keys)).toMatchObject({ state: 'pending', matchKeys: keys });
    expect(await settle(end, null)).toMatchObject({ state: end.state, matchKeys: expected });
  });
});
