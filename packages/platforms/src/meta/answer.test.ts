import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answered.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { judgeMetaResponse, metaCodes } from './codes.ts';

const judge = (status: number, body: unknown, headers = {}, sent = 1) =>
  judgeReply(answered(status, body, headers), { judge: judgeMetaResponse(sent), redact: redaction(), nowMs: 0 })
    .outcome;

const error = (code: number, more: Readonly<Record<string, unknown>> = {}) => ({
  error: { message: 'words', type: 'OAuthException', code, fbtrace_id: 'A1', ...more },
});

describe("Meta's response", () => {
  // statuses that were observed with the codes, and some that would be misleading
  it.each([
    [1, 500],
    [2, 503],
    [5000, 500],
    [368, 400],
    [21009, 400],
  ])("Meta's code %i (HTTP %i) is a temporary failure", (code, status) => {
    expect(judge(status, error(code))).toEqual({ kind: 'unavailable', reason: `${code}: words` });
  });

  it.each([
    [4, 400],
    [17, 500],
    [32, 403],
    [341, 400],
    [613, 400],
    [80000, 400],
    [80001, 400],
    [80003, 400],
    [80004, 400],
    [80014, 400],
  ])("Meta's code %i throttles", (code, status) => {
    const throttled = { kind: 'throttled', reason: `${code}: words` };
    expect(judge(status, error(code))).toEqual(throttled);
    expect(judge(status, error(code, { is_transient: true }))).toEqual(throttled);
  });

  it.each([
    [190, 400],
    [190, 500],
    [102, 401],
    [104, 400],
    [3, 500],
    [10, 403],
    [200, 403],
    [294, 400],
    [299, 400],
    [12, 400],
    [803, 404],
    [2500, 400],
    [2635, 400],
  ])("Meta's code %i (HTTP %i) rejects the credentials", (code, status) => {
    expect(judge(status, error(code))).toEqual({ kind: 'refused', reason: `${code}: words` });
  });

  it.each([458, 459, 460, 463, 464, 467, 492])("Meta's code 190/%i rejects the credentials", (error_subcode) => {
    expect(judge(400, error(190, { error_subcode }))).toEqual({
      kind: 'refused',
      reason: `190/${error_subcode}: words`,
    });
  });

  it('rejects the settings if the pixel does not exist', () => {
    expect(judge(400, error(100, { error_subcode: 33 }))).toMatchObject({ kind: 'refused' });
  });

  it.each([
    [100, undefined],
    [100, 34],
    [100, 2804001],
    [100, 2804007],
    [100, 2804009],
    [100, 2804016],
    [100, 2804017],
    [100, 2804019],
    [100, 2804048],
    [100, 2804050],
    [105, undefined],
  ])("Meta's code %i/%s rejects the event", (code, error_subcode) => {
    expect(judge(404, error(code, { error_subcode }))).toMatchObject({ kind: 'rejected' });
  });

  it.each([
    ['Tried accessing nonexisting field (events) on node type (User)', ['pixelId', 'accessToken']],
    ['(#100) Missing Permission', ['accessToken']],
  ])("Meta's code 100 is about the connection if it says: %s", (message, change) => {
    const outcome = judge(400, error(100, { message }));
    expect(outcome).toEqual({ kind: 'refused', reason: `100: ${message}` });
    expect(metaCodes.meaningOf(`100: ${message}`)).toMatchObject({ change });
    // of an event that quotes it
    expect(judge(400, error(100, { message: `Invalid parameter: ${message}` }))).toMatchObject({ kind: 'rejected' });
  });

  it('uses the reason event_too_old for an event that Meta finds too old', () => {
    expect(judge(400, error(100, { error_subcode: 2804003 }))).toEqual({ kind: 'rejected', reason: 'event_too_old' });
  });

  it("prefers Meta's message for users", () => {
    const outcome = judge(400, error(100, { error_subcode: 2804050, error_user_msg: 'Add an identifier' }));
    expect(outcome).toEqual({ kind: 'rejected', reason: '100/2804050: Add an identifier' });
  });

  it.each([
    [400, true, 'unavailable'],
    [500, false, 'rejected'],
    [400, undefined, 'rejected'],
    [403, undefined, 'refused'],
    [429, undefined, 'throttled'],
    [500, undefined, 'unavailable'],
  ])('an unknown code is judged by HTTP %i and is_transient %s', (status, is_transient, kind) => {
    expect(judge(status, error(987_654, { is_transient }))).toMatchObject({ kind });
  });

  it("Meta's is_transient makes a known code temporary", () => {
    expect(judge(400, error(100, { is_transient: true }))).toMatchObject({ kind: 'unavailable' });
  });

  it("Meta's error with HTTP 200 is an error", () => {
    expect(judge(200, error(190))).toMatchObject({ kind: 'refused' });
  });

  it('uses the time after which Meta accepts calls again', () => {
    const usage = { 1234: [{ type: 'ads_management', call_count: 100, estimated_time_to_regain_access: 19 }] };
    const headers = { 'x-business-use-case-usage': JSON.stringify(usage), 'retry-after': '1' };
    expect(judge(400, error(80_004), headers)).toMatchObject({ retryAfterMs: 19 * 60_000 });
    expect(judge(400, error(4), { 'retry-after': '1', 'x-business-use-case-usage': '{' })).toMatchObject({
      retryAfterMs: 1000,
    });
  });

  it.each([
    [1, { events_received: 1, messages: [], fbtrace_id: 'A1' }, 'delivered'],
    [2, { events_received: 2 }, 'delivered'],
    [2, { events_received: 1 }, 'unavailable'],
    [1, {}, 'unavailable'],
    [1, null, 'unavailable'],
    [1, [], 'unavailable'],
    [1, '<html></html>', 'unavailable'],
    [1, '', 'unavailable'],
  ])("Meta's response to %i events, %j, is %s", (sent, body, kind) => {
    expect(judge(200, body, {}, sent)).toMatchObject({ kind });
  });

  it.each([400, 401, 403, 404, 413, 500])(
    "a response of HTTP %i that is not in Meta's format is a temporary failure",
    (status) => {
      expect(judge(status, '<html>Forbidden</html>')).toMatchObject({ kind: 'unavailable' });
      expect(judge(status, { events_received: 1 })).toMatchObject({ kind: 'unavailable' });
    },
  );
});
