import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hash, linkedinElement, linkedinRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.request('DELETE', '/events'));

const dayMs = 24 * 60 * 60 * 1000;
const click = { idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: 'df5gf5-gh6t7-ph4j7h-fgf6n1' };
const userInfo = { firstName: 'mike', lastName: 'smith', countryCode: 'US' };
const send = async (...sent: Parameters<typeof sandbox.linkedin>) => {
  const { status, body } = await sandbox.linkedin(...sent);
  return { status, body };
};

describe('events of the Conversions API of LinkedIn', () => {
  it.each([
    ['a hashed email', linkedinElement()],
    ['a click', linkedinElement({ user: { userIds: [click] } })],
    ['a name alone', linkedinElement({ user: { userIds: [], userInfo } })],
    ['no value', linkedinElement({ conversionValue: undefined })],
    ['a time of almost 90 days ago', linkedinElement({ conversionHappenedAt: nowMs - 90 * dayMs })],
  ])('LinkedIn accepts an event with %s', async (_name, element) => {
    expect(await send(linkedinRequest(element))).toEqual({ status: 200, body: { elements: [{ status: 201 }] } });
    expect(await sandbox.received()).toEqual([
      {
        platform: 'linkedin',
        connection: '104012',
        receivedAt: new Date(nowMs).toISOString(),
        event: JSON.parse(JSON.stringify(element)),
      },
    ]);
  });

  const missing = 'field is required but not found and has no default value';
  it.each([
    ['no rule', { conversion: undefined }, `/conversion :: ${missing}`],
    ['a rule of another kind', { conversion: 'urn:lla:llaConversionRule:1' }, 'Invalid Urn format. Invalid prefix.'],
    ['no time', { conversionHappenedAt: undefined }, `/conversionHappenedAt :: ${missing}`],
    ['a time in seconds', { conversionHappenedAt: nowMs / 1000 }, '/conversionHappenedAt'],
    [
      'an amount that is a number',
      { conversionValue: { currencyCode: 'USD', amount: 19.9 } },
      '/conversionValue/amount :: 19.9 cannot be coerced to String',
    ],
    ['a value without amount', { conversionValue: { currencyCode: 'USD' } }, `/conversionValue/amount :: ${missing}`],
    ['no list of user ids', { user: { userInfo } }, `/user/userIds :: ${missing}`],
    ['half a name', { user: { userIds: [], userInfo: { firstName: 'a' } } }, `/user/userInfo/lastName :: ${missing}`],
    ['an unknown field', { value: 1 }, '/value :: unrecognized field found but not allowed'],
    [
      'an unknown kind of id',
      { user: { userIds: [{ idType: 'EMAIL', idValue: hash }] } },
      '/user/userIds/0/idType :: "EMAIL" is not an enum symbol',
    ],
    [
      'a readable email',
      { user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: 'ana@a.example' }] } },
      '/user/userIds/0/idValue',
    ],
    [
      'a hash in capitals',
      { user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: hash.toUpperCase() }] } },
      '/user/userIds/0/idValue',
    ],
    [
      'the hash of nothing',
      {
        user: {
          userIds: [
            {
              idType: 'SHA256_EMAIL',
              idValue: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
            },
          ],
        },
      },
      '/user/userIds/0/idValue',
    ],
  ])('LinkedIn rejects an event with %s and names the field', async (_name, changes, words) => {
    const request = linkedinRequest(linkedinElement(), linkedinElement(changes));
    expect(await send(request)).toEqual({
      status: 422,
      body: { status: 422, message: expect.stringMatching(/^Index: 1, ERROR :: \//) },
    });
    expect(await send(request)).toMatchObject({ body: { message: expect.stringContaining(words) } });
    expect(await sandbox.received()).toEqual([]);
  });

  it.each([
    ['more than 90 days ago', nowMs - 90 * dayMs - 1],
    ['in the future', nowMs + 1001],
  ])('LinkedIn rejects a batch with an event of %s', async (_name, conversionHappenedAt) => {
    const request = linkedinRequest(linkedinElement(), linkedinElement({ conversionHappenedAt }));
    expect(await send(request)).toEqual({
      status: 400,
      body: {
        status: 400,
        message: 'Conversion time should be within 90 days and not exceed current time, indices [1] (0-indexed).',
      },
    });
    expect(await sandbox.received()).toEqual([]);
  });

  it.each([
    ['no event', linkedinRequest()],
    ['5001 events', linkedinRequest(...Array.from({ length: 5001 }, () => linkedinElement()))],
    ['no batch', linkedinElement()],
    ['invalid JSON', '{"elements"'],
  ])('LinkedIn rejects a request with %s', async (_name, body) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { status: 400 } });
  });

  it('LinkedIn does not say whether a rule is missing or its account forbidden', async () => {
    const element = linkedinElement({ conversion: 'urn:lla:llaPartnerConversion:0' });
    expect(await send(linkedinRequest(element))).toEqual({
      status: 403,
      body: { message: 'No ad accounts found', status: 403 },
    });
  });

  it.each([
    ['an empty version', { 'linkedin-version': '' }, 426, 'NONEXISTENT_VERSION'],
    ['a retired version', { 'linkedin-version': '202504' }, 426, 'NONEXISTENT_VERSION'],
    ['another method', { 'x-restli-method': 'CREATE' }, 400, undefined],
    ['another protocol', { 'x-restli-protocol-version': '1.0.0' }, 400, undefined],
  ])('LinkedIn rejects a request with %s', async (_name, headers, status, code) => {
    expect(await send(linkedinRequest(linkedinElement()), 'any', headers)).toMatchObject({
      status,
      body: { status, ...(code && { code }) },
    });
  });

  it('LinkedIn requires a version', async () => {
    const { status, body } = await sandbox.request('POST', '/rest/conversionEvents', linkedinRequest(), {
      authorization: 'Bearer any',
    });
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'VERSION_MISSING' })]);
  });

  it.each([
    ['', 'INVALID_ACCESS_TOKEN'],
    ['revoked', 'REVOKED_ACCESS_TOKEN'],
  ])('LinkedIn rejects the access token %j', async (token, code) => {
    expect(await send(linkedinRequest(linkedinElement()), token)).toMatchObject({ status: 401, body: { code } });
  });
});

describe("LinkedIn's token endpoint", () => {
  const path = '/oauth/v2/accessToken';
  const grant = { grant_type: 'refresh_token', client_id: 'c', client_secret: 's', refresh_token: 'r' };

  it('LinkedIn issues access tokens that are valid for 60 days', async () => {
    let clockMs = nowMs;
    await using aging = await serveSandbox(() => clockMs);
    const issued = await aging.token(grant, path);
    const { access_token: token } = z.object({ access_token: z.string() }).parse(issued.body);
    const request = linkedinRequest(linkedinElement());
    expect(await aging.linkedin(request, token)).toMatchObject({ status: 200 });
    clockMs += 60 * dayMs;
    expect(await aging.linkedin(request, token)).toMatchObject({
      status: 401,
      body: { code: 'EXPIRED_ACCESS_TOKEN' },
    });
  });

  it.each([
    ['a revoked refresh token', { refresh_token: 'revoked' }, 400, 'invalid_grant'],
    ['a revoked secret', { client_secret: 'revoked' }, 401, 'invalid_client'],
    ['another kind of grant', { grant_type: 'password' }, 400, 'invalid_request'],
  ])('LinkedIn rejects a token request with %s', async (_name, changes, status, error) => {
    expect(await sandbox.token({ ...grant, ...changes }, path)).toMatchObject({ status, body: { error } });
  });
});
