import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answered.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { judgeTikTokResponse } from './codes.ts';

const judge = (status: number, body: unknown, { headers = {}, sent = 1, secret = '' } = {}) =>
  judgeReply(answered(status, body, headers), {
    judge: judgeTikTokResponse(sent),
    redact: redaction(secret),
    nowMs: 0,
  }).outcome;

const words = (code: number, message = 'words') => ({ code, message, request_id: '20261121120000', data: {} });

describe("TikTok's response", () => {
  it("TikTok's code 0 means that the events were accepted", () => {
    expect(judge(200, words(0), { sent: 3 })).toEqual({ kind: 'delivered' });
  });

  it("TikTok's code 20001 means that it took some of the events, and its words are kept", () => {
    expect(judge(200, words(20_001, 'one of 203.0.113.7'), { sent: 3, secret: '203.0.113.7' })).toEqual({
      kind: 'delivered',
      warning: 'TikTok took only some of the 3 events in the request: one of [redacted]',
    });
    expect(judge(500, words(20_001))).toMatchObject({ kind: 'unavailable' });
  });

  it.each([
    [40_100, 'throttled'],
    [40_133, 'throttled'],
    [40_001, 'refused'],
    [40_006, 'refused'],
    [40_101, 'refused'],
    [40_103, 'refused'],
    [40_106, 'refused'],
    [40_107, 'refused'],
    [40_007, 'refused'],
    [40_102, 'refused'],
    [40_104, 'refused'],
    [40_105, 'refused'],
    [40_200, 'unavailable'],
    [40_201, 'unavailable'],
    [40_202, 'unavailable'],
    [40_700, 'unavailable'],
    [40_002, 'rejected'],
    [40_999, 'rejected'],
    [50_000, 'unavailable'],
    [51_002, 'unavailable'],
    [60_000, 'unavailable'],
  ] as const)("TikTok's code %i is %s", (code, kind) => {
    expect(judge(200, words(code))).toEqual({ kind, reason: `${code}: words` });
  });

  it("TikTok's code 40002 is about the connection if it names the pixel", () => {
    const message = 'Invalid value for event_source_id: not a valid string.';
    expect(judge(200, words(40_002, message))).toEqual({ kind: 'refused', reason: `40002: ${message}` });
    expect(judge(200, words(40_002, `data.0.user.email: ${message}`))).toMatchObject({ kind: 'rejected' });
  });

  it.each([
    [40_999, 401, 'refused'],
    [40_999, 403, 'refused'],
    [40_999, 429, 'throttled'],
    [40_999, 400, 'rejected'],
    [40_999, 503, 'unavailable'],
    [40_002, 500, 'rejected'],
    [50_000, 400, 'unavailable'],
  ])("TikTok's code %i with HTTP %i is %s: the status counts if the code is unknown", (code, status, kind) => {
    expect(judge(status, words(code))).toMatchObject({ kind });
  });

  it.each([
    ['data.2.user.email: Not a valid string', 2],
    ['Batch.0.properties.contents.0.content_id: Not a valid string', 0],
    ['data[1].event_time: too old', 1],
  ])("TikTok's message %j names the invalid event", (message, index) => {
    const reason = `40002: ${message}`;
    expect(judge(200, words(40_002, message), { sent: 3 })).toEqual({
      kind: 'rejected',
      reason,
      events: [{ index, reason }],
    });
  });

  it.each([
    'Invalid value for event_id: not a valid string.',
    'data.3.user: there were only three',
    'data: Length must be between 1 and 1000.',
    'Not a user agent: Mozilla data.1.user',
  ])("TikTok's message %j names no event", (message) => {
    expect(judge(200, words(40_002, message), { sent: 3 })).toEqual({ kind: 'rejected', reason: `40002: ${message}` });
  });

  it("redacts secrets in TikTok's message about an event", () => {
    const outcome = judge(200, words(40_002, 'data.0.user.ip: not 203.0.113.7'), { secret: '203.0.113.7' });
    const reason = '40002: data.0.user.ip: not [redacted]';
    expect(outcome).toEqual({ kind: 'rejected', reason, events: [{ index: 0, reason }] });
  });

  it('uses the time after which TikTok accepts requests again', () => {
    const headers = { 'retry-after': '7' };
    expect(judge(200, words(40_100), { headers })).toMatchObject({ kind: 'throttled', retryAfterMs: 7000 });
    expect(judge(503, words(50_000), { headers })).toMatchObject({ kind: 'unavailable', retryAfterMs: 7000 });
  });

  it.each([200, 401, 403, 404, 500, 502])(
    "a response of HTTP %i that is not in TikTok's format is a temporary failure",
    (status) => {
      expect(judge(status, '<html>Bad Gateway</html>')).toMatchObject({ kind: 'unavailable' });
      expect(judge(status, { code: 404, message: 'no such route' })).toMatchObject({ kind: 'unavailable' });
      expect(judge(status, { code: '40002', message: 'words' })).toMatchObject({ kind: 'unavailable' });
    },
  );

  it('HTTP 429 throttles, even if it does not come from TikTok', () => {
    expect(judge(429, '<html>Too many requests</html>')).toMatchObject({ kind: 'throttled' });
  });

  it("TikTok's success code with an HTTP error is no success", () => {
    expect(judge(500, words(0))).toMatchObject({ kind: 'unavailable' });
  });
});
