import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answered.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { judgeMicrosoftResponse } from './codes.ts';

const judge = (status: number, body: unknown, sent = 1, headers = {}) =>
  judgeReply(answered(status, body, headers), {
    judge: judgeMicrosoftResponse(sent),
    redact: redaction(''),
    nowMs: 0,
  }).outcome;

const problem = (Code: number, more: Readonly<Record<string, unknown>> = {}) => ({
  Code,
  ErrorCode: 'Name',
  Message: 'words',
  ...more,
});
const fault = (...codes: readonly number[]) => ({ TrackingId: 't', Errors: codes.map((code) => problem(code)) });
const partial = (...errors: readonly (readonly [index: number, code: number])[]) => ({
  PartialErrors: errors.map(([Index, code]) => problem(code, { Index })),
});
const reason = (code: number) => `${code}: Name: words`;

describe("Microsoft's response", () => {
  it.each([[[]], [null], [[null]]])('Microsoft has applied all conversions with the partial errors %j', (errors) => {
    expect(judge(200, { PartialErrors: errors }, 3)).toEqual({ kind: 'delivered' });
  });

  it.each([
    [105, 'refused'],
    [106, 'refused'],
    [109, 'refused'],
    [116, 'refused'],
    [303, 'refused'],
    [117, 'throttled'],
    [0, 'unavailable'],
    [202, 'unavailable'],
    [201, 'rejected'],
    [5601, 'rejected'],
  ])("Microsoft's fault %i is %s, whatever the HTTP status", (code, kind) => {
    for (const status of [200, 400, 401, 500]) {
      expect(judge(status, fault(code))).toEqual({ kind, reason: reason(code) });
    }
  });

  it.each([
    [200, 'rejected'],
    [400, 'rejected'],
    [401, 'refused'],
    [403, 'refused'],
    [429, 'throttled'],
    [500, 'unavailable'],
  ])("Microsoft's unknown fault with HTTP %i is %s", (status, kind) => {
    expect(judge(status, fault(99_999))).toEqual({ kind, reason: reason(99_999) });
  });

  it.each(['Errors', 'OperationErrors', 'BatchErrors'])('reads the %s of a fault', (name) => {
    expect(judge(400, { Errors: null, [name]: [problem(106)] })).toMatchObject({ kind: 'refused' });
  });

  it('Microsoft names the conversions that it did not apply; it applied the others', () => {
    expect(judge(200, partial([0, 5604], [2, 5612]), 4)).toEqual({
      kind: 'delivered',
      events: [
        { index: 0, outcome: { kind: 'rejected', reason: reason(5604) } },
        { index: 2, outcome: { kind: 'unavailable', reason: reason(5612) } },
      ],
    });
  });

  it('a conversion of more than 90 days ago is too old for Microsoft', () => {
    expect(judge(200, partial([1, 5609]), 2)).toEqual({
      kind: 'delivered',
      events: [{ index: 1, outcome: { kind: 'rejected', reason: 'event_too_old' } }],
    });
  });

  it.each([
    [5606, 'refused'],
    [5613, 'refused'],
    [5612, 'unavailable'],
    [99_999, 'rejected'],
  ])("Microsoft's partial error %i is %s", (code, kind) => {
    expect(judge(200, partial([0, code]))).toMatchObject({ kind, reason: reason(code) });
  });

  it.each([
    ['two hours until a new goal takes conversions', 5615, 7_200_000],
    ["a minute for Microsoft's clock", 5614, 60_000],
  ])('waits %s', (_name, code, retryAfterMs) => {
    expect(judge(200, partial([0, code]))).toEqual({ kind: 'unavailable', reason: reason(code), retryAfterMs });
  });

  it('a request of which Microsoft applied no conversion has failed as a whole', () => {
    expect(judge(200, partial([0, 5612], [1, 117]), 2)).toEqual({ kind: 'throttled', reason: reason(5612) });
    expect(judge(200, partial([0, 5604], [1, 5606]), 2)).toMatchObject({ kind: 'refused' });
    expect(judge(400, { BatchErrors: [problem(5604, { Index: 1 })] }, 3)).toEqual({
      kind: 'rejected',
      reason: reason(5604),
      events: [{ index: 1, reason: reason(5604) }],
    });
    expect(judge(400, { BatchErrors: [problem(5604)] }, 3)).toEqual({ kind: 'rejected', reason: reason(5604) });
  });

  it('a partial error that names no conversion counts for all that no other error names', () => {
    const events = [0, 1, 2].map((index) => ({ index, reason: reason(5604) }));
    expect(judge(200, partial([7, 5604]), 3)).toEqual({ kind: 'rejected', reason: reason(5604), events });
    const errors = [problem(5612, { Index: 1 }), problem(5606)];
    expect(judge(200, { PartialErrors: errors }, 2)).toMatchObject({ kind: 'refused', reason: reason(5606) });
  });

  it('uses the time after which Microsoft accepts calls again', () => {
    expect(judge(429, fault(117), 1, { 'retry-after': '60' })).toMatchObject({ retryAfterMs: 60_000 });
  });

  it.each([200, 401, 403, 404, 500])(
    "a response of HTTP %i that is not in Microsoft's format is a temporary failure",
    (status) => {
      expect(judge(status, '<html>')).toMatchObject({ kind: 'unavailable' });
      expect(judge(status, { message: 'no such route' })).toMatchObject({ kind: 'unavailable' });
      expect(judge(status, { Errors: [] })).toMatchObject({ kind: 'unavailable' });
    },
  );

  it('applied conversions with an HTTP error are no success', () => {
    expect(judge(502, { PartialErrors: [] })).toMatchObject({ kind: 'unavailable' });
  });
});
