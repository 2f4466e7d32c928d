import { once } from 'node:events';
import { createServer } from 'node:http';
import { platformSandbox } from '@leadback/platform-sandbox';
import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { givenServiceAccountKey } from './given-service-account-key.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, serveScripted } from './scripted-server.ts';

const settings = { customerId: '1234567890', conversionActionId: '848898416' };

const serveGoogle = async () => {
  const server = await serveScripted();
  server.play(respond(200, { requestId: 'r1' }));
  const { google } = platformRegistry({ PLATFORM_SANDBOX_URL: server.url }, { now: () => now });
  const access = google.access(settings, { serviceAccount: givenServiceAccountKey() }, 'live');
  const event = preparedEvent(access, givenConversion({ lead: { clickParameters: { gclid: 'Cj0Kclick' } } }));
  return {
    ...server,
    send: () => access.send([event]),
    tokensAsked: () => server.arrived.filter(({ path }) => path === '/token'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

describe('a service account of Google', () => {
  it.each([
    ['leadback@shop-ads.iam.gserviceaccount.com', 'delivered'],
    ['revoked@shop-ads.iam.gserviceaccount.com', 'refused'],
  ])('the service account %s is %s by a sandbox that checks its assertion', async (client_email, kind) => {
    const server = createServer(platformSandbox()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const { google } = platformRegistry({ PLATFORM_SANDBOX_URL: `http://127.0.0.1:${Object(address).port}` });
    const credentials = { serviceAccount: givenServiceAccountKey({ client_email }) };
    expect(await google.access(settings, credentials, 'live').check()).toMatchObject({ outcome: { kind } });
    server.close().closeAllConnections();
  });

  it('a service account gets an access token for an assertion, shared by all requests', async () => {
    await using google = await serveGoogle();
    await Promise.all([google.send(), google.send()]);
    expect(await google.send()).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(google.events().map(({ authorization }) => authorization)).toEqual(
      Array.from({ length: 3 }, () => 'Bearer ya29.granted'),
    );
    expect(google.tokensAsked().map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{342}$/),
      },
    ]);
  });

  it.each([
    [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }],
    [401, { error: 'unauthorized_client' }],
    [500, { error: 'invalid_client' }],
  ])('a service account that Google rejects (HTTP %i, %j) needs a new key', async (status, body) => {
    await using google = await serveGoogle();
    google.playToken(respond(status, body));
    const reason = expect.stringContaining(`service_account_${body.error}: `);
    expect(await google.send()).toMatchObject({ outcome: { kind: 'refused', reason } });
    expect(google.events()).toEqual([]);
  });

  it("stores neither the key nor the assertion of a service account if Google's response quotes them", async () => {
    await using google = await serveGoogle();
    const { private_key: key } = givenServiceAccountKey();
    google.playToken((response, arrived) => {
      const { assertion } = Object.fromEntries(new URLSearchParams(arrived.body));
      const error_description = `${assertion} ${arrived.body} ${key} ${JSON.stringify({ key })}`;
      respond(400, { error: 'invalid_grant', error_description })(response, arrived);
    });
    const kept = JSON.stringify(await google.send());
    expect(kept).toContain('[redacted]');
    expect(kept).not.toMatch(/eyJ|PRIVATE KEY/);
    for (const line of key.split('\n').filter((one) => one.length > 20)) expect(kept).not.toContain(line);
  });
});
