import { Delivery, DeliveryDue, PlatformConnection } from '@leadback/db';
import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenWorker } from './given-worker.ts';

describe('a backlog', async () => {
  const worker = await shared(givenWorker());

  it('delivers many conversions in few requests, each event once', async () => {
    await fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' });
    const { ids } = await worker.givenBacklog(60);
    await worker.deliver(ids);
    const rows = await worker.database.em().find(Delivery, { id: { $in: ids } });
    expect(rows.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true);
    const events: unknown = await (await fetch(`${worker.sandbox.url}/events`)).json();
    expect(events).toHaveLength(60);
  });

  it('fails only the rejected event and delivers the rest of the batch', async () => {
    // Meta takes no browser that looks hashed
    const { ids, connectionId } = await worker.givenBacklog(4);
    const bad = await worker.givenMore(1, connectionId, {
      client: { email: 'eva@x.example', lead: { userAgent: 'a'.repeat(64) } },
    });
    await worker.deliver([...bad, ...ids]);
    const rows = await Promise.all([...bad, ...ids].map(worker.stored));
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['failed', 1],
      ...ids.map(() => ['delivered', 1]),
    ]);
    expect(rows[0]?.reason).toMatch(/^100: .*client_user_agent/);
  });

  it('the backlog of a rejected connection waits, and that of others is delivered once', async () => {
    const refused = await worker.givenBacklog(150, { credentials: { accessToken: 'revoked' } });
    const healthy = await worker.givenBacklog(50);
    await worker.deliver([...refused.ids, ...healthy.ids]);
    const connection = await worker.database.em().findOneOrFail(PlatformConnection, refused.connectionId);
    expect(connection).toMatchObject({ state: 'needs_attention' });
    expect(await worker.database.em().count(Delivery, { id: { $in: refused.ids }, state: 'pending' })).toBe(150);
    const parcels = await worker.database.em().find(DeliveryDue, { connectionId: refused.connectionId });
    expect(parcels.flatMap(({ deliveryIds }) => deliveryIds).toSorted((a, b) => a - b)).toEqual(refused.ids);
    expect(parcels.filter(({ phase }) => phase === 'claimed')).toEqual([]);
    const delivered = { id: { $in: healthy.ids }, state: 'delivered', attempts: 1 } as const;
    expect(await worker.database.em().count(Delivery, delivered)).toBe(50);
  });
});
