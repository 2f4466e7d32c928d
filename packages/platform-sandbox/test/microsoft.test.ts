import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clickAt, hash, microsoftConversion, microsoftRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.request('DELETE', '/events'));

const dayMs = 24 * 60 * 60 * 1000;
const at = (timeMs: number) => ({ ConversionTime: new Date(timeMs).toISOString() });
const withoutClick = { MicrosoftClickId: undefined };
const send = async (...sent: Parameters<typeof sandbox.microsoft>) => {
  const { status, body } = await sandbox.microsoft(...sent);
  return { status, body };
};

describe('offline conversions of Microsoft Advertising', () => {
  it.each([
    ['a click', microsoftConversion({ HashedEmailAddress: undefined })],
    ['a click of the same instant', microsoftConversion({ MicrosoftClickId: clickAt(nowMs - 1000) })],
    ['a hashed email', microsoftConversion(withoutClick)],
    ['a hashed phone number', microsoftConversion({ ...withoutClick, HashedPhoneNumber: hash })],
    ['null for what is unknown', microsoftConversion({ HashedPhoneNumber: null, ExternalAttributionModel: null })],
    ['no value', microsoftConversion({ ConversionValue: undefined, ConversionCurrencyCode: undefined })],
    ['a time of almost 90 days ago', microsoftConversion(at(nowMs - 90 * dayMs))],
  ])('Microsoft applies a conversion with %s', async (_name, conversion) => {
    expect(await send(microsoftRequest(conversion))).toEqual({ status: 200, body: { PartialErrors: [] } });
    expect(await sandbox.received()).toEqual([
      {
        platform: 'microsoft',
        connection: 'Sale',
        receivedAt: new Date(nowMs).toISOString(),
        event: JSON.parse(JSON.stringify(conversion)),
      },
    ]);
  });

  it.each([
    ['no name', { ConversionName: '' }, 5605],
    ['the name of no goal', { ConversionName: 'unknown goal' }, 5606],
    ['no time', { ConversionTime: undefined }, 5608],
    ['a time without its zone', { ConversionTime: '2026-11-21T11:00:00' }, 5607],
    ['a time of another zone', { ConversionTime: '2026-11-21T08:00:00-03:00' }, 5607],
    ['a time of more than 90 days ago', at(nowMs - 90 * dayMs - 1), 5609],
    ['a time in the future', at(nowMs + 1001), 5614],
    ['nobody', { ...withoutClick, HashedEmailAddress: undefined }, 5603],
    ['a malformed click id', { MicrosoftClickId: 'f894' }, 5604],
    ['a click of a minute later', { MicrosoftClickId: clickAt(nowMs + 60_000) }, 5616],
    ['a click of more than 90 days before', { MicrosoftClickId: clickAt(nowMs - 1000 - 90 * dayMs - 1) }, 5617],
    ['a readable email', { HashedEmailAddress: 'ana@example.com' }, 201],
    ['a hash in capitals', { HashedPhoneNumber: hash.toUpperCase() }, 201],
    [
      'the hash of nothing',
      { HashedEmailAddress: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
      201,
    ],
    ['a negative value', { ConversionValue: -1 }, 5610],
    ['a value in a string', { ConversionValue: '10' }, 201],
    ['a currency in small letters', { ConversionCurrencyCode: 'usd' }, 5611],
    ['an unknown field', { Value: 1 }, 201],
  ])('Microsoft applies all conversions but one with %s', async (_name, changes, code) => {
    const good = microsoftConversion({ ConversionValue: 11 });
    const { status, body } = await send(microsoftRequest(good, microsoftConversion(changes)));
    expect([status, body]).toEqual([200, { PartialErrors: [expect.objectContaining({ Code: code, Index: 1 })] }]);
    expect(await sandbox.received()).toMatchObject([{ event: { ConversionValue: 11 } }]);
  });

  it.each([
    ['no list', {}, 5600],
    ['no conversion', microsoftRequest(), 5600],
    ['1001 conversions', microsoftRequest(...Array.from({ length: 1001 }, () => microsoftConversion())), 5601],
    ['invalid JSON', '{"OfflineConversions"', 201],
  ])('Microsoft applies nothing of a request with %s', async (_name, body, code) => {
    expect(await send(body)).toMatchObject({
      status: 400,
      body: { Type: 'ApiFaultDetail', OperationErrors: [{ Code: code }] },
    });
    expect(await sandbox.received()).toEqual([]);
  });

  it.each([
    ['no access token', '', {}, 401, { Errors: [{ Code: 105 }] }],
    ['a revoked access token', 'revoked', {}, 401, { Errors: [{ Code: 105 }] }],
    ['no developer token', 'any', { developertoken: '' }, 401, { Errors: [{ Code: 105 }] }],
    ['a revoked developer token', 'any', { developertoken: 'revoked' }, 401, { Errors: [{ Code: 105 }] }],
    ['no customer', 'any', { customerid: '' }, 400, { OperationErrors: [{ Code: 116 }] }],
    ['an account that is no number', 'any', { customeraccountid: 'x' }, 400, { OperationErrors: [{ Code: 116 }] }],
  ])('Microsoft rejects a request with %s', async (_name, token, headers, status, body) => {
    expect(await send(microsoftRequest(microsoftConversion()), token, headers)).toMatchObject({ status, body });
  });
});

describe("Microsoft's token endpoint", () => {
  const path = '/common/oauth2/v2.0/token';
  const grant = {
    grant_type: 'refresh_token',
    client_id: 'c',
    client_secret: 's',
    refresh_token: 'r',
    scope: 'https://ads.microsoft.com/msads.manage offline_access',
  };

  it('Microsoft issues access tokens that are valid for an hour', async () => {
    let clockMs = nowMs;
    await using own = await serveSandbox(() => clockMs);
    const issued = await own.token(grant, path);
    const { access_token: token } = z.object({ access_token: z.string() }).parse(issued.body);
    const request = microsoftRequest(microsoftConversion());
    expect(await own.microsoft(request, token)).toMatchObject({ status: 200 });
    clockMs += 3_600_000;
    expect(await own.microsoft(request, token)).toMatchObject({ status: 401, body: { Errors: [{ Code: 109 }] } });
  });

  it('Microsoft issues another refresh token each time, and refuses those before it once that one is used', async () => {
    await using own = await serveSandbox();
    const refresh = async (refreshToken: string) => {
      const { status, body } = await own.token({ ...grant, refresh_token: refreshToken }, path);
      return { status, next: z.object({ refresh_token: z.string() }).safeParse(body).data?.refresh_token ?? '' };
    };
    // what was issued for it may have been lost
    const lost = await refresh('entered');
    const kept = await refresh('entered');
    expect(lost.next).not.toBe(kept.next);

    const latest = await refresh(kept.next);
    expect(latest.status).toBe(200);
    expect(await refresh('entered')).toMatchObject({ status: 400 });
    expect((await refresh(latest.next)).status).toBe(200);
    expect(await own.token({ ...grant, refresh_token: kept.next }, path)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it.each([
    ['a revoked refresh token', { refresh_token: 'revoked' }, 400, 'invalid_grant'],
    ['a revoked secret', { client_secret: 'revoked' }, 401, 'invalid_client'],
    ['another scope', { scope: 'openid' }, 400, 'invalid_request'],
  ])('Microsoft rejects a token request with %s', async (_name, changes, status, error) => {
    expect(await sandbox.token({ ...grant, ...changes }, path)).toMatchObject({ status, body: { error } });
  });
});
