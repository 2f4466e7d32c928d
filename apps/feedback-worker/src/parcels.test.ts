import type { Outcome } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { settledDeliveries } from './parcels.ts';

const answered = (outcome: Outcome) => ({
  answer: { outcome, httpStatus: 200, body: null, durationMs: 7 },
});
const delivery = (deliveryId: number, attempts = 0) => ({ deliveryId, attempts, throttled: 0 });

describe('what is saved of a parcel', () => {
  it('deliveries of one request are saved together, with the time of their retry, unless they were tried differently often', () => {
    const failed = answered({ kind: 'unavailable', reason: '503' });
    const settled = settledDeliveries(
      [
        [delivery(1), failed],
        [delivery(2), failed],
        [delivery(3, 4), failed],
      ],
      undefined,
    );
    expect(settled.map(({ deliveryIds }) => deliveryIds)).toEqual([[1, 2], [3]]);
    const [other] = settledDeliveries([[delivery(4), failed]], undefined);
    expect(other?.retryInMs).toBe(settled[0]?.retryInMs);
  });

  it('a request whose status the platform reports later is saved with its deliveries', () => {
    const accepted = answered({ kind: 'delivered', request: 'request-1' });
    expect(settledDeliveries([[delivery(1), accepted]], 60_000)).toMatchObject([
      { state: 'delivered', attempt: { outcome: 'delivered', request: { name: 'request-1', checkInMs: 60_000 } } },
    ]);
    expect(settledDeliveries([[delivery(1), accepted]], undefined)[0]?.attempt).not.toHaveProperty('request');
  });

  it('what a platform accepted only in part is noted at its deliveries, after what it was not told', () => {
    const accepted = answered({ kind: 'delivered', warning: 'The platform left out a field' });
    const noted = { answer: { ...accepted.answer, eventNote: 'The platform was told less' } };
    const settled = settledDeliveries(
      [
        [delivery(1), accepted],
        [delivery(2), noted],
      ],
      undefined,
    );
    expect(settled).toMatchObject([
      { deliveryIds: [1], state: 'delivered', eventNote: 'The platform left out a field' },
      { deliveryIds: [2], eventNote: 'The platform was told less. The platform left out a field' },
    ]);
  });

  it('what was not sent has no attempt', () => {
    const postponed = answered({ kind: 'postponed', reason: 'quota', retryAfterMs: 1_000 });
    expect(settledDeliveries([[delivery(1), postponed]], undefined)).toMatchObject([
      { state: 'pending', reason: 'quota', attempt: null },
    ]);
  });
});
