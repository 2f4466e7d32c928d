import { DeliveryAttempt, openPool } from '@leadback/db';
import { givenConnection, givenDatabase } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenParcel, parcelViolations } from '../../test/parcels.ts';
import { delivered, settling, unavailable } from '../../test/settling.ts';
import { waitingForLocks } from '../../test/waiting-for-locks.ts';

it.each([
  ['delivered', delivered],
  ['to be sent again', unavailable(60_000)],
])('saves one attempt if a worker saves the outcome again while it is being committed: %s', async (_what, outcome) => {
  await using database = await givenDatabase();
  await using patient = await openPool({ url: database.url, applicationName: 'test', hasNoStatementTimeout: true });
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
