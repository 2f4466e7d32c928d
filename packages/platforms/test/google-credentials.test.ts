import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { googleError } from './google-error.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, serveScripted } from './scripted-server.ts';

const settings = { customerId: '1234567890', conversionActionId: '848898416' };
const credentials = { clientId: 'client', clientSecret: 'secret', refreshToken: '1//refresh' };
const accepted = respond(200, { requestId: 'r1' });
const unauthorized = respond(401, googleError(401, 'UNAUTHENTICATED'));
const token = (accessToken: string) => respond(200, { access_token: accessToken, expires_in: 3599 });

const byClick = { lead: { clickParameters: { gclid: 'Cj0Kclick' } } };
const byPerson = { client: { email: 'ana@example.com' } };

const serveGoogle = async () => {
  const server = await serveScripted();
  const clock = { ms: now };
  const urls = { PLATFORM_SANDBOX_URL: server.url };
  const { google } = platformRegistry(urls, { now: () => clock.ms });
  const send = (...given: readonly Parameters<typeof givenConversion>[0][]) => {
    const access = google.access(settings, credentials, 'live');
    return access.send(given.map((one) => preparedEvent(access, givenConversion(one))));
  };
  return {
    ...server,
    clock,
    send,
    tokensAsked: () => server.arrived.filter(({ path }) => path === '/token'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

describe("Google's access token", () => {
  it("requests Google's access token as OAuth specifies, once for all requests", async () => {
    await using google = await serveGoogle();
    google.play(accepted);
    await Promise.all([google.send(byClick), google.send(byClick)]);
    await google.send(byClick);
    expect(google.events().map(({ authorization }) => authorization)).toEqual(
      Array.from({ length: 3 }, () => 'Bearer ya29.granted'),
    );
    expect(google.tokensAsked().map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      { client_id: 'client', client_secret: 'secret', refresh_token: '1//refresh', grant_type: 'refresh_token' },
    ]);
  });

  it("renews Google's access token a minute before it expires", async () => {
    await using google = await serveGoogle();
    google.play(accepted);
    await google.send(byClick);
    google.clock.ms += (3600 - 60) * 1000;
    await google.send(byClick);
    expect(google.tokensAsked()).toHaveLength(2);
  });

  it("renews Google's access token once if it is rejected", async () => {
    await using google = await serveGoogle();
    google.playToken(token('ya29.old'));
    google.play((response, arrived) => {
      google.playToken(token('ya29.new'));
      (arrived.authorization === 'Bearer ya29.new' ? accepted : unauthorized)(response, arrived);
    });
    expect(await google.send(byClick)).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(google.events()).toHaveLength(2);
  });

  it('rejects the connection if a renewed access token is rejected as well', async () => {
    await using google = await serveGoogle();
    google.play(unauthorized);
    expect(await google.send(byClick)).toMatchObject({ outcome: { kind: 'refused' }, httpStatus: 401 });
    expect(google.events()).toHaveLength(2);
  });

  it.each([
    [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 'refused'],
    [401, { error: 'invalid_client' }, 'refused'],
    [401, { error: 'unauthorized_client' }, 'refused'],
    [500, { error: 'invalid_grant' }, 'refused'],
    [403, { error: 'access_denied' }, 'refused'],
    [500, { error: 'internal_failure' }, 'unavailable'],
    [400, { error: 'temporarily_unavailable' }, 'unavailable'],
    [429, { error: 'rate_limit_exceeded' }, 'throttled'],
    [502, '<html>Bad gateway</html>', 'unavailable'],
    [400, '<html>Bad request</html>', 'unavailable'],
    [200, { access_token: 'with a\nbreak', expires_in: 3599 }, 'unavailable'],
    [200, {}, 'unavailable'],
  ])('a denied access token (HTTP %i, %j) leaves the events %s', async (status, body, kind) => {
    await using google = await serveGoogle();
    google.playToken(respond(status, body, { 'retry-after': '60' }));
    expect(await google.send(byClick)).toMatchObject({ outcome: { kind }, httpStatus: status });
    expect(google.events()).toEqual([]);
  });

  it("requests Google's access token again after a failure", async () => {
    await using google = await serveGoogle();
    google.play(accepted);
    google.playToken((response) => void response.socket?.resetAndDestroy());
    expect(await google.send(byClick)).toMatchObject({ outcome: { kind: 'unavailable', reason: 'ECONNRESET' } });
    google.playToken(token('ya29.new'));
    expect(await google.send(byClick)).toMatchObject({ outcome: { kind: 'delivered' } });
  });
});

describe('an account without permission for personal data', () => {
  const reason = 'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS';
  const forbidden = respond(400, googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', [{ reason }]));

  const serveForbidding = async () => {
    const google = await serveGoogle();
    google.play((response, arrived) => {
      (arrived.body.includes('userData') ? forbidden : accepted)(response, arrived);
    });
    return google;
  };

  it('sends only the clicks if the account may not use personal data', async () => {
    await using google = await serveForbidding();
    expect(await google.send({ ...byClick, ...byPerson }, byClick)).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(google.events()).toHaveLength(2);
    expect(google.events()[1]?.body).not.toContain('encoding');
  });

  it('rejects a mix of clicks and persons, to be bisected, if the account may not use personal data', async () => {
    await using google = await serveForbidding();
    const answer = await google.send({ ...byClick, ...byPerson }, byPerson);
    expect(answer.outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining(reason) });
  });

  it('rejects the connection if the account may not use personal data and there is no click', async () => {
    await using google = await serveForbidding();
    const answer = await google.send(byPerson);
    expect(answer).toMatchObject({ outcome: { kind: 'refused', reason: expect.stringContaining(reason) } });
    expect(google.events()).toHaveLength(1);
  });
});
