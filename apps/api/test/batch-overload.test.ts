import { givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenBatchPartner, order } from './given-batches.ts';

const ofAccountMax = 8;

describe('batches at the same time', async () => {
  const database = await shared(givenDatabase({ waitsForLocks: true }));
  const api = await shared(givenApi({ database }));

  it('are answered 503 beyond eight of one account, and leave room for another account', async () => {
    const [many, other] = [await givenBatchPartner(api), await givenBatchPartner(api)];
    const holder = await api.database.pool.connect();
    try {
      await holder.query('begin; lock table conversion in share mode');
      const sent = Array.from({ length: ofAccountMax + 1 }, () => many.postConversions([order()]));
      const first = await Promise.race(sent);
      expect([first.status, first.headers.get('leadback-error'), first.headers.get('retry-after')]).toEqual([
        503,
        'overloaded',
        '5',
      ]);
      const beside = other.postConversions([order()]);
      await holder.query('rollback');
      expect((await beside).status).toBe(200);
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(ofAccountMax);
    } finally {
      holder.release();
    }
  });
});
