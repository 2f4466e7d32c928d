import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { itKeepsThePlatformContract } from './platform-contract.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, serveScripted } from './scripted-server.ts';

const settings = { customerId: '24601', adAccountId: '8675309', conversionName: 'Sale' };
const credentials = {
  developerToken: 'canary-developer',
  clientId: 'canary-app',
  clientSecret: 'canary-secret',
  refreshToken: 'canary-refresh',
};
const fault = (Code: number, Message = 'words') => ({ Type: 'AdApiFaultDetail', Errors: [{ Code, Message }] });
const partial = (Code: number, Message = 'words') => ({ PartialErrors: [{ Code, Message, Index: 0 }] });

itKeepsThePlatformContract({
  name: 'microsoft',
  settings,
  credentials,
  accepted: [200, { PartialErrors: [] }],
  serverError: [500, fault(0)],
  rateLimited: [429, fault(117)],
  refused: [401, fault(105)],
  wrongEvent: [200, partial(5604)],
  quoting: (message) => [200, partial(5604, message)],
});

const serveMicrosoft = async () => {
  const server = await serveScripted();
  const { microsoft } = platformRegistry({ PLATFORM_SANDBOX_URL: server.url }, { now: () => now });
  const kept: { readonly credentials: unknown; readonly events: number }[] = [];
  let stored = credentials;
  const access = microsoft.access(
    settings,
    credentials,
    'live',
    {},
    {
      connectionId: 1,
      read: () =>
        Promise.resolve({
          credentials: stored,
          keep: async (renewed) => {
            kept.push({ credentials: renewed, events: server.events().length });
            return Promise.resolve();
          },
        }),
    },
  );
  const event = preparedEvent(access, givenConversion({ client: { email: 'ana@example.com' } }));
  return {
    ...server,
    kept,
    /** As another worker does. */
    store: (refreshToken: string) => {
      stored = { ...credentials, refreshToken };
    },
    send: () => access.send([event]),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

describe("Microsoft's access token", () => {
  it("requests Microsoft's access token as its identity platform specifies, once for all requests", async () => {
    await using microsoft = await serveMicrosoft();
    microsoft.play(respond(200, { PartialErrors: [] }));
    await Promise.all([microsoft.send(), microsoft.send()]);
    const asked = microsoft.arrived.filter(({ path }) => path === '/common/oauth2/v2.0/token');
    expect(asked.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      {
        client_id: 'canary-app',
        client_secret: 'canary-secret',
        refresh_token: 'canary-refresh',
        grant_type: 'refresh_token',
        scope: 'https://ads.microsoft.com/msads.manage offline_access',
      },
    ]);
    expect(microsoft.events().map(({ authorization, path }) => [authorization, path])).toEqual(
      Array.from({ length: 2 }, () => ['Bearer ya29.granted', '/CampaignManagement/v13/OfflineConversions/Apply']),
    );
  });

  it.each([401, 400, 200, 500])(
    "renews Microsoft's access token once if it is rejected with HTTP %i",
    async (status) => {
      await using microsoft = await serveMicrosoft();
      microsoft.play((response, arrived) => {
        microsoft.playToken(respond(200, { access_token: 'new', expires_in: 3599 }));
        const isNew = arrived.authorization === 'Bearer new';
        (isNew ? respond(200, { PartialErrors: [] }) : respond(status, fault(109)))(response, arrived);
      });
      expect(await microsoft.send()).toMatchObject({ outcome: { kind: 'delivered' } });
      expect(microsoft.events()).toHaveLength(2);
    },
  );

  it("the connection is rejected if Microsoft's new access token has expired as well", async () => {
    await using microsoft = await serveMicrosoft();
    microsoft.play(respond(400, fault(109)));
    expect(await microsoft.send()).toMatchObject({ outcome: { kind: 'refused', reason: '109: words' } });
    expect(microsoft.events()).toHaveLength(2);
  });

  it('keeps the refresh token that Microsoft issues with each access token, before it sends events', async () => {
    await using microsoft = await serveMicrosoft();
    microsoft.play(respond(200, { PartialErrors: [] }));
    microsoft.playToken(respond(200, { access_token: 'a', expires_in: 3599, refresh_token: 'canary-renewed' }));
    expect(await microsoft.send()).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(microsoft.kept).toEqual([{ credentials: { ...credentials, refreshToken: 'canary-renewed' }, events: 0 }]);
  });

  it.each([
    ['none', {}],
    ['the same', { refresh_token: 'canary-refresh' }],
    ['one that cannot be sent', { refresh_token: 'a b' }],
  ])('keeps the refresh token of the connection if Microsoft returns %s', async (_, returned) => {
    await using microsoft = await serveMicrosoft();
    microsoft.play(respond(200, { PartialErrors: [] }));
    microsoft.playToken(respond(200, { access_token: 'a', expires_in: 3599, ...returned }));
    expect(await microsoft.send()).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(microsoft.kept).toEqual([]);
  });

  it('asks Microsoft once more before an invalid grant rejects the connection', async () => {
    await using microsoft = await serveMicrosoft();
    microsoft.play(respond(200, { PartialErrors: [] }));
    microsoft.playToken((response, arrived) => {
      microsoft.playToken(respond(200, { access_token: 'a', expires_in: 3599 }));
      respond(400, { error: 'invalid_grant', error_description: 'AADSTS70000' })(response, arrived);
    });
    expect(await microsoft.send()).toMatchObject({ outcome: { kind: 'delivered' } });
  });

  it('asks Microsoft again with the refresh token that another worker has stored meanwhile', async () => {
    await using microsoft = await serveMicrosoft();
    microsoft.play(respond(200, { PartialErrors: [] }));
    microsoft.playToken((response, arrived) => {
      microsoft.store('canary-newer');
      const isNewer = arrived.body.includes('canary-newer');
      const refused = respond(400, { error: 'invalid_grant', error_description: 'AADSTS70000' });
      const granted = respond(200, { access_token: 'a', expires_in: 3599, refresh_token: 'canary-newest' });
      (isNewer ? granted : refused)(response, arrived);
    });
    expect(await microsoft.send()).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(microsoft.kept).toEqual([{ credentials: { ...credentials, refreshToken: 'canary-newest' }, events: 0 }]);
  });

  it.each(['invalid_grant', 'interaction_required', 'invalid_client'])(
    "the connection is rejected with the error %s of Microsoft's token endpoint, without its secrets",
    async (error) => {
      await using microsoft = await serveMicrosoft();
      microsoft.playToken((response, arrived) =>
        respond(400, { error, error_description: `AADSTS70008: ${arrived.body}` })(response, arrived),
      );
      const answer = await microsoft.send();
      expect(answer.outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining(`${error}: AADSTS`) });
      expect(JSON.stringify(answer)).not.toMatch(/canary-(secret|refresh)/);
      expect(microsoft.events()).toEqual([]);
    },
  );
});
