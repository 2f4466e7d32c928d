import { describe, expect, it, vi } from 'vitest';
import { platformRegistry, type TakeSlot } from '../src/index.ts';
import { now } from './given-conversion.ts';
import { googleError } from './google-error.ts';
import { brokenConnections, foreignAnswers } from './network-troubles.ts';
import { respond, type Script, serveScripted } from './scripted-server.ts';

const settings = { customerId: '1234567890', conversionActionId: '848898416' };
const credentials = { clientId: '42-a.apps.googleusercontent.com', clientSecret: 's', refreshToken: '1//r' };

interface Asked {
  readonly request?: string;
  readonly token?: Script;
  readonly takeSlot?: TakeSlot;
  readonly requestTimeoutMs?: number;
}

/** The request status read from Google's response, and the requests sent for it. */
const ask = async (script: Script, { request = 'r1', token, ...tuning }: Asked = {}) => {
  await using server = await serveScripted();
  server.play(script);
  if (token) server.playToken(token);
  const urls = { PLATFORM_SANDBOX_URL: server.url };
  const access = platformRegistry(urls, { now: () => now, ...tuning }).google.access(settings, credentials, 'live');
  return { verdict: await access.requestStatus?.(request), asked: server.events() };
};

const status = (requestStatus: string, ...errorCounts: readonly { reason: string; recordCount: string }[]) =>
  respond(200, {
    requestStatusPerDestination: [
      { requestStatus, errorInfo: { errorCounts }, eventsIngestionStatus: { recordCount: '2' } },
    ],
  });
const clickNotFound = { reason: 'PROCESSING_ERROR_REASON_CLICK_NOT_FOUND', recordCount: '1' };

describe("Google's request status", () => {
  it("retrieves Google's request status by the escaped request id", async () => {
    const { verdict, asked } = await ask(status('SUCCESS'), { request: 'a/b?c=d&e' });
    expect(verdict).toEqual({ kind: 'final', events: 2, findings: [] });
    expect(asked).toEqual([
      {
        method: 'GET',
        path: '/v1/requestStatus:retrieve?requestId=a%2Fb%3Fc%3Dd%26e',
        authorization: 'Bearer ya29.granted',
        body: '',
      },
    ]);
  });

  it.each([
    ['PROCESSING', status('PROCESSING'), { kind: 'processing' }],
    [
      'FAILED',
      status('FAILED', clickNotFound),
      { kind: 'final', events: 2, findings: [{ meaning: 'failed', reason: 'CLICK_NOT_FOUND', events: 'all' }] },
    ],
    [
      'PARTIAL_SUCCESS',
      status('PARTIAL_SUCCESS', clickNotFound),
      { kind: 'final', events: 2, findings: [{ meaning: 'failed', reason: 'CLICK_NOT_FOUND', events: 1 }] },
    ],
    [
      'of an unknown request',
      respond(404, googleError(404, 'NOT_FOUND', 'INVALID_REQUEST_ID')),
      { kind: 'unknown', reason: 'INVALID_REQUEST_ID: words' },
    ],
    [
      'while Google throttles',
      respond(429, googleError(429, 'RESOURCE_EXHAUSTED'), { 'retry-after': '30' }),
      { kind: 'unknown', reason: 'RESOURCE_EXHAUSTED: words', retryAfterMs: 30_000 },
    ],
    ['if Google rejects the request', respond(403, googleError(403, 'PERMISSION_DENIED')), { kind: 'unknown' }],
    ['from an error with HTTP 200', respond(200, googleError(500, 'INTERNAL')), { kind: 'unknown' }],
  ])("reads Google's request status %s", async (_name, script, verdict) => {
    expect(await ask(script)).toMatchObject({ verdict });
  });

  it.each(foreignAnswers)("Google's request status is unknown after %s", async (_name, script) => {
    expect(await ask(script)).toMatchObject({ verdict: { kind: 'unknown' } });
  });

  it.each(brokenConnections)(
    "Google's request status is unknown if the connection %s",
    async (_name, reason, script) => {
      const tuning = reason === 'ETIMEDOUT' ? { requestTimeoutMs: 300 } : {};
      expect(await ask(script, tuning)).toMatchObject({ verdict: { kind: 'unknown', reason } });
    },
  );

  it("never follows a redirect when retrieving Google's request status", async () => {
    await using elsewhere = await serveScripted();
    const { verdict } = await ask(respond(302, '', { location: `${elsewhere.url}/collect` }));
    expect(verdict).toMatchObject({ kind: 'unknown' });
    expect(elsewhere.arrived).toEqual([]);
  });

  it("retrieves Google's request status once more if the access token is rejected", async () => {
    const tokens = ['ya29.old', 'ya29.new'];
    const { verdict, asked } = await ask(
      (response, arrived) => {
        const isNew = arrived.authorization === 'Bearer ya29.new';
        (isNew ? status('SUCCESS') : respond(401, googleError(401, 'UNAUTHENTICATED')))(response, arrived);
      },
      {
        token: (response, arrived) =>
          respond(200, { access_token: tokens.shift(), expires_in: 3600 })(response, arrived),
      },
    );
    expect(verdict).toMatchObject({ kind: 'final' });
    expect(asked).toHaveLength(2);
  });

  it("Google's request status is unknown without an access token", async () => {
    const { verdict, asked } = await ask(status('SUCCESS'), { token: respond(400, { error: 'invalid_grant' }) });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('invalid_grant') });
    expect(asked).toEqual([]);
  });

  it("retrieves Google's request status only with a quota slot, and waits for it", async () => {
    const takeSlot = vi.fn<TakeSlot>(() => Promise.resolve(5_000));
    const { verdict, asked } = await ask(status('SUCCESS'), { takeSlot });
    expect(takeSlot).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'google 42 statuses' }));
    expect(verdict).toEqual({ kind: 'unknown', reason: 'quota', retryAfterMs: 5_000 });
    expect(asked).toEqual([]);
  });
});
