import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answered.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { judgeLinkedInResponse } from './codes.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const dayMs = 86_400_000;
const event = (ageMs = 1000) => ({ conversionHappenedAt: nowMs - ageMs });

const judge = (status: number, body: unknown, sent: readonly ReturnType<typeof event>[] = [event()], headers = {}) =>
  judgeReply(answered(status, body, headers), {
    judge: judgeLinkedInResponse(sent, nowMs),
    redact: redaction('203.0.113.7'),
    nowMs,
  }).outcome;

const error = (status: number, message: string, code?: string) => ({ status, message, ...(code && { code }) });
const created = (...statuses: readonly number[]) => ({ elements: statuses.map((status) => ({ status })) });
const three = [event(), event(), event()];
const outOfTime = (indices: string) =>
  error(400, `Conversion time should be within 90 days and not exceed current time, indices [${indices}] (0-indexed).`);

describe("LinkedIn's response", () => {
  it('LinkedIn has accepted a batch if every element was created', () => {
    expect(judge(200, created(201, 201, 201), three)).toEqual({ kind: 'delivered' });
  });

  it.each([
    [401, 'INVALID_ACCESS_TOKEN', 'refused'],
    [401, 'REVOKED_ACCESS_TOKEN', 'refused'],
    [401, 'EXPIRED_ACCESS_TOKEN', 'refused'],
    [400, 'VERSION_MISSING', 'refused'],
    [426, 'NONEXISTENT_VERSION', 'refused'],
  ])("LinkedIn's HTTP %i with the code %s is %s", (status, code, kind) => {
    expect(judge(status, error(status, 'words', code))).toEqual({ kind, reason: `${code}: words` });
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [426, 'refused'],
    [429, 'throttled'],
    [400, 'rejected'],
    [413, 'rejected'],
    [422, 'rejected'],
    [408, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])("LinkedIn's error %i with an unknown code is %s", (status, kind) => {
    expect(judge(status, error(status, 'words', 'NEVER_HEARD_OF'))).toEqual({ kind, reason: `${status}: words` });
  });

  it('LinkedIn refuses the connection if its rule takes no events of the Conversions API', () => {
    const message =
      "Incorrect conversions information provided. Conversion's method should be CONVERSIONS_API, indices [0] (0-indexed)";
    expect(judge(400, error(400, message))).toEqual({ kind: 'refused', reason: `400: ${message}` });
  });

  it.each([
    [404, 'Conversion rule was not found'],
    [400, 'Conversion rule urn:lla:llaPartnerConversion:104012 is disabled'],
    [410, 'words'],
  ])('LinkedIn refuses the connection with HTTP %i and: %s', (status, message) => {
    expect(judge(status, error(status, message))).toEqual({ kind: 'refused', reason: `${status}: ${message}` });
  });

  it.each([
    [404, 'words'],
    [400, 'Invalid value ana@x.example is disabled'],
  ])('LinkedIn rejects the event with HTTP %i and: %s', (status, message) => {
    expect(judge(status, error(status, message))).toMatchObject({ kind: 'rejected' });
  });

  it('LinkedIn names the invalid events of a batch, each with its first error', () => {
    const message =
      'Index: 0, ERROR :: /conversionValue/amount :: field is required but not found and has no default value\n' +
      'ERROR :: /user/userInfo/firstName :: field is required but not found and has no default value\n' +
      'Index: 2, ERROR :: /user :: 203.0.113.7 cannot be coerced to Record\n';
    expect(judge(422, error(422, message), three)).toEqual({
      kind: 'rejected',
      reason: expect.stringContaining('422: Index: 0'),
      events: [
        {
          index: 0,
          reason: '422: /conversionValue/amount :: field is required but not found and has no default value',
        },
        { index: 2, reason: '422: /user :: [redacted] cannot be coerced to Record' },
      ],
    });
  });

  it.each(['Index: 3, ERROR :: /user :: there were only three\n', 'words Index: 1, ERROR :: /user\n', 'words'])(
    'LinkedIn names no event with %j',
    (message) => {
      expect(judge(422, error(422, message), three)).toEqual({ kind: 'rejected', reason: expect.any(String) });
    },
  );

  it('LinkedIn names the events that are too old', () => {
    const sent = [event(), event(91 * dayMs), event(), event(92 * dayMs)];
    expect(judge(400, outOfTime('1, 3'), sent)).toEqual({
      kind: 'rejected',
      reason: 'event_too_old',
      events: [
        { index: 1, reason: 'event_too_old' },
        { index: 3, reason: 'event_too_old' },
      ],
    });
  });

  it("sends an event again that is ahead of LinkedIn's clock, and separates it from others", () => {
    const reason = "400: the event is ahead of LinkedIn's clock";
    expect(judge(400, outOfTime('0'))).toEqual({ kind: 'unavailable', reason, retryAfterMs: 60_000 });
    expect(judge(400, outOfTime('1'), three)).toEqual({ kind: 'rejected', reason });
  });

  it('an event that LinkedIn calls out of time although it was not sent rejects the request', () => {
    expect(judge(400, outOfTime('7'))).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('400: ') });
  });

  it('each element of a batch has a status of its own', () => {
    const body = { elements: [{ status: 201 }, { status: 400, error: { status: 400, message: 'words' } }] };
    expect(judge(200, body, [event(), event()])).toEqual({
      kind: 'delivered',
      events: [{ index: 1, outcome: { kind: 'rejected', reason: '400: words' } }],
    });
    expect(judge(200, created(201, 500), [event(), event()])).toEqual({
      kind: 'delivered',
      events: [{ index: 1, outcome: { kind: 'unavailable', reason: '500: rejected' } }],
    });
    expect(judge(200, created(403, 201), [event(), event()])).toMatchObject({
      kind: 'delivered',
      events: [{ index: 0, outcome: { kind: 'refused' } }],
    });
    expect(judge(200, created(500, 500), [event(), event()])).toMatchObject({ kind: 'unavailable' });
  });

  it('a batch with a missing element is sent again', () => {
    expect(judge(200, created(201), three)).toEqual({ kind: 'unavailable', reason: 'answered 1 of 3 events' });
  });

  it('uses the time after which LinkedIn accepts requests again', () => {
    const headers = { 'retry-after': '7' };
    expect(judge(429, error(429, 'words'), [event()], headers)).toMatchObject({ retryAfterMs: 7000 });
  });

  it.each([200, 401, 403, 404, 500])(
    "a response of HTTP %i that is not in LinkedIn's format is a temporary failure",
    (status) => {
      expect(judge(status, '<html>')).toMatchObject({ kind: 'unavailable' });
      expect(judge(status, { message: 'no such route' })).toMatchObject({ kind: 'unavailable' });
      expect(judge(status, { status: 200, message: 'OK' })).toMatchObject({ kind: 'unavailable' });
    },
  );

  it('created elements with an HTTP error are no success', () => {
    expect(judge(502, created(201))).toMatchObject({ kind: 'unavailable' });
  });
});
