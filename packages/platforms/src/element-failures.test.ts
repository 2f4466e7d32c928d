import { describe, expect, it } from 'vitest';
import { type ElementFailure, outcomeOfProcessed, outcomeOfUnprocessed } from './failures.ts';

const failed = (index: number, kind: ElementFailure['kind'], retryAfterMs?: number): ElementFailure => ({
  index,
  kind,
  reason: `${kind} ${index}`,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

describe('a request of which nothing was processed', () => {
  it('the connection is rejected if it is for one of the events', () => {
    expect(outcomeOfUnprocessed([failed(0, 'rejected'), failed(1, 'refused')], 2)).toEqual({
      kind: 'refused',
      reason: 'refused 1',
    });
  });

  it('names each rejected event once, and none that failed only for now', () => {
    const failures = [failed(0, 'unavailable'), failed(1, 'rejected'), { ...failed(1, 'rejected'), reason: 'again' }];
    expect(outcomeOfUnprocessed(failures, 3)).toEqual({
      kind: 'rejected',
      reason: 'rejected 1',
      events: [{ index: 1, reason: 'rejected 1' }],
    });
  });

  it('waits for the longest pause if all events failed only for now', () => {
    expect(outcomeOfUnprocessed([failed(0, 'unavailable', 5), failed(1, 'unavailable', 7)], 2)).toEqual({
      kind: 'unavailable',
      reason: 'unavailable 0',
      retryAfterMs: 7,
    });
    expect(outcomeOfUnprocessed([failed(0, 'unavailable'), failed(1, 'throttled')], 2)).toEqual({
      kind: 'throttled',
      reason: 'unavailable 0',
    });
  });

  it('names no event if some failed only for now and the others did not fail', () => {
    expect(outcomeOfUnprocessed([failed(1, 'unavailable', 5)], 2)).toEqual({
      kind: 'rejected',
      reason: 'unavailable 1',
    });
  });
});

describe('a request whose events are accepted one by one', () => {
  it('a request without a failed event is delivered', () => {
    expect(outcomeOfProcessed([], 2)).toEqual({ kind: 'delivered' });
  });

  it('names each event that was not accepted, with its own outcome, and no other', () => {
    const failures = [failed(0, 'unavailable', 5), failed(1, 'rejected'), failed(3, 'refused'), failed(4, 'throttled')];
    expect(outcomeOfProcessed(failures, 6)).toEqual({
      kind: 'delivered',
      events: [
        { index: 0, outcome: { kind: 'unavailable', reason: 'unavailable 0', retryAfterMs: 5 } },
        { index: 1, outcome: { kind: 'rejected', reason: 'rejected 1' } },
        { index: 3, outcome: { kind: 'refused', reason: 'refused 3' } },
        { index: 4, outcome: { kind: 'throttled', reason: 'throttled 4' } },
      ],
    });
  });

  it('an event with several failures is not sent again if one of them is permanent', () => {
    const failures = [failed(1, 'unavailable', 5), failed(1, 'rejected'), failed(1, 'unavailable')];
    expect(outcomeOfProcessed(failures, 2)).toEqual({
      kind: 'delivered',
      events: [{ index: 1, outcome: { kind: 'rejected', reason: 'rejected 1' } }],
    });
  });

  it('a request of which no event was accepted has failed as a whole', () => {
    expect(outcomeOfProcessed([failed(0, 'unavailable'), failed(1, 'unavailable')], 2)).toMatchObject({
      kind: 'unavailable',
    });
    expect(outcomeOfProcessed([failed(0, 'refused')], 1)).toMatchObject({ kind: 'refused' });
    expect(outcomeOfProcessed([failed(0, 'rejected'), failed(1, 'rejected')], 2)).toMatchObject({ kind: 'rejected' });
  });
});
