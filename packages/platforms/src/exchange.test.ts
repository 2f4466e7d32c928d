import { describe, expect, it } from 'vitest';
import { retryAfterMs, redaction, type ElementFailure, outcomeOfProcessed, outcomeOfUnprocessed } from './exchange.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 3 ', 3_000],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
    ['86401', day],
    ['99999999999999999999999', day],
    ['Sun, 21 Nov 2027 12:00:00 GMT', day],
  ])('a Retry-After of %j is used, up to a day', (header, pauseMs) => {
    expect(retryAfterMs(header, now)).toBe(pauseMs);
  });

  it.each([
    undefined,
    '',
    '-5',
    '1.5',
    'NaN',
    'Infinity',
    '1e3',
    'soon',
    'Sat, 21 Nov 2026 11:59:59 GMT',
    'Sat, 99 Foo 2026 12:00:00 GMT',
  ])('a Retry-After of %j is ignored', (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });
});

const redact = redaction('EAAB-token', [{ ip: '203.0.113.7', agents: ['Mozilla/5.0 (ñ "x")'] }]);
const kept = (text: string) => redact(text, 2048);

describe('redaction', () => {
  it.each([
    ['the token EAAB-token is wrong', 'the token [redacted] is wrong'],
    ['from 203.0.113.7', 'from [redacted]'],
    ['{"message":"Mozilla\\/5.0 (\\u00f1 \\"x\\")"}', '{"message":"[redacted]"}'],
    ['/events?access_token=abc&x=1', '/events?access_token=[redacted]&x=1'],
    ['?oauth2_access_token=abc', '?oauth2_access_token=[redacted]'],
    ['{"invalid_access_token":"EAABsbCS1"}', '{"invalid_access_token":"[redacted]"}'],
    ['expired_refresh_token=1//0gabc', 'expired_refresh_token=[redacted]'],
    ['INVALID_CLIENT_SECRET=s3cr3t', 'INVALID_CLIENT_SECRET=[redacted]'],
    ['{"refresh_token":"1//abc"}', '{"refresh_token":"[redacted]"}'],
    ['Authorization: Bearer ya29.abc', 'Authorization: Bearer [redacted]'],
    ['{"assertion":"abc"}', '{"assertion":"[redacted]"}'],
    ['token eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln is late', 'token [redacted] is late'],
    ['{"appsecret_proof":"abc","app_secret":"def"}', '{"appsecret_proof":"[redacted]","app_secret":"[redacted]"}'],
    ['key -----BEGIN PRIVATE KEY-----\nMIIE/+=\n-----END PRIVATE KEY----- here', 'key [redacted] here'],
    ['{"private_key":"-----BEGIN RSA PRIVATE KEY-----\\nMIIE"}', '{"private_key":"[redacted]'],
    [`em ${'0123456789abcdef'.repeat(4)}`, 'em [redacted]'],
    ['"Ana.P+x@example.com.ar" is taken', '"[redacted]" is taken'],
    ['a\u0000b\u001b[31m', 'a b [31m'],
    ['half a pair: \ud800', 'half a pair: \ufffd'],
  ])('redacts %j', (text, expected) => {
    expect(kept(text)).toBe(expected);
  });

  it('keeps text without secrets and personal data', () => {
    const answer = '{"error":{"code":100,"error_subcode":2804003,"fbtrace_id":"AbC-1"}}';
    expect(kept(answer)).toBe(answer);
    expect(kept('REVOKED_ACCESS_TOKEN: revoked by the user')).toBe('REVOKED_ACCESS_TOKEN: revoked by the user');
  });

  it('keeps at most the given number of bytes and splits no character', () => {
    expect(kept('ñ'.repeat(2000))).toBe('ñ'.repeat(1024));
    expect(redact('añ', 2)).toBe('a');
  });

  it('keeps no part of a secret at the end of a shortened text', () => {
    const secret = 's3cret-word '.repeat(30).trim();
    const text = redaction(secret)(`${secret} `.repeat(1000), 65_536);
    expect(text).not.toContain('s3cret');
  });

  it('redacts JSON that is nested too deeply to be serialized again', () => {
    expect(kept('['.repeat(100_000) + ']'.repeat(100_000))).toBe('['.repeat(2048));
  });
});

const failed = (index: number, kind: ElementFailure['kind'], pauseMs?: number): ElementFailure => ({
  index,
  kind,
  reason: `${kind} ${index}`,
  ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
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
