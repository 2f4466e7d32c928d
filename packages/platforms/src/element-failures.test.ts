import { describe, expect, it } from 'vitest';
import { type ElementFailure, outcomeOfFailures } from './element-failures.ts';

const failed = (index: number, kind: ElementFailure['kind'], retryAfterMs?: number): ElementFailure => ({
  index,
  kind,
  reason: `${kind} ${index}`,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

describe('a request whose events fail one by one', () => {
  it('a request without a failed event is delivered', () => {
    expect(outcomeOfFailures([], 2)).toEqual({ kind: 'delivered' });
  });

  it('the connection is rejected if it is for one of the events', () => {
    expect(outcomeOfFailures([failed(0, 'rejected'), failed(1, 'refused')], 2)).toEqual({
      kind: 'refused',
      reason: 'refused 1',
    });
  });

  it('names each rejected event once, and none that failed only for now', () => {
    const failures = [failed(0, 'unavailable'), failed(1, 'rejected'), { ...failed(1, 'rejected'), reason: 'again' }];
    expect(outcomeOfFailures(failures, 3)).toEqual({
      kind: 'rejected',
      reason: 'rejected 1',
      events: [{ index: 1, reason: 'rejected 1' }],
    });
  });

  it('waits for the longest pause if all events failed only for now', () => {
    expect(outcomeOfFailures([failed(0, 'unavailable', 5), failed(1, 'unavailable', 7)], 2)).toEqual({
      kind: 'unavailable',
      reason: 'unavailable 0',
      retryAfterMs: 7,
    });
    expect(outcomeOfFailures([failed(0, 'unavailable'), failed(1, 'throttled')], 2)).toEqual({
      kind: 'throttled',
      reason: 'unavailable 0',
    });
  });

  it('names no event if some failed only for now and the others were taken', () => {
    expect(outcomeOfFailures([failed(1, 'unavailable', 5)], 2)).toEqual({ kind: 'rejected', reason: 'unavailable 1' });
  });
});
