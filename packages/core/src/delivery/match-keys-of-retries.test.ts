import { Delivery } from '@leadback/db';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler, type SettledDeliveries } from '@leadback/core/delivery/settle';
import { matchKeySet } from '@leadback/domain';
import { givenContacts, givenConnection, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { comesDue, givenParcel, parcelOf } from '../../test/parcels.ts';

const keys = matchKeySet({ email: true, phone: true });
const unavailable = {
  outcome: 'unavailable',
  reason: 'HTTP 503',
  httpStatus: 503,
  answer: null,
  durationMs: 1,
} as const;

const retried = { state: 'pending', reason: 'HTTP 503', retryInMs: 0, isCounted: true, attempt: unavailable } as const;
const skipped = { state: 'skipped', reason: 'consent', retryInMs: null, isCounted: false, attempt: null } as const;
const failed = { state: 'failed', reason: 'crashed', retryInMs: null, isCounted: false, attempt: null } as const;

describe('the match keys of a delivery that is retried', async () => {
  const database = await shared(givenDatabase());

  it.each([
    ['skipped', 'those of no event: nothing was sent in the end', skipped, null],
    ['failed', 'those of the event that was sent last', failed, keys],
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
