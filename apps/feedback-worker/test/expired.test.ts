import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenWorker } from './given-worker.ts';

const dayMs = 24 * 3_600_000;

describe('deliveries that is too old for its platform', async () => {
  const worker = await shared(givenWorker());

  const expiredCount = async () => {
    const count = /leadback_deliveries_expired_total\{[^}]*platform="meta"[^}]*\} (\d+)/;
    return Number(count.exec(await worker.metrics.metrics())?.[1]);
  };

  /** How much the expired count grows; times are in days ago. */
  const counted = async (occurred: number, registered: number, isTest = false) => {
    const before = await expiredCount();
    const { id } = await worker.givenDelivery({
      isTest,
      connection: { settings: { pixelId: '1234567890', testEventCode: 'TEST7' } },
      occurredAt: new Date(Date.now() - occurred * dayMs),
      registeredAt: new Date(Date.now() - registered * dayMs),
    });
    await worker.deliver([id]);
    expect(await worker.stored(id)).toMatchObject({ state: 'skipped', reason: 'event_too_old', attempts: 0 });
    return (await expiredCount()) - before;
  };

  it('a delivery too old for its platform counts as expired if it was registered in time', async () => {
    expect(await counted(8, 2)).toBe(1);
  });

  it('a delivery too old for its platform does not count as expired if it was too old when registered', async () => {
    expect(await counted(8, 0)).toBe(0);
  });

  it('a delivery too old for its platform does not count as expired if it is a test', async () => {
    expect(await counted(8, 2, true)).toBe(0);
  });
});
