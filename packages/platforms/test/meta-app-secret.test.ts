import { describe, expect, it } from 'vitest';
import { platformRegistry } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, type Script, serveScripted } from './scripted-server.ts';

const proof = '294c307ff2427ed2140908ec13f483ef7f7d7819a8fc32fb535cf6ada2327ab2';

const send = async (credentials: unknown, script: Script = respond(200, { events_received: 1 })) => {
  await using server = await serveScripted();
  server.play(script);
  const { meta } = platformRegistry({ PLATFORM_SANDBOX_URL: server.url }, { now: () => now });
  const access = meta.access({ pixelId: '1234567890' }, credentials, 'live');
  const answer = await access.send([preparedEvent(access, givenConversion({ client: { email: 'ana@example.com' } }))]);
  return { answer, sent: JSON.parse(server.arrived[0]?.body ?? '{}') };
};

describe('the app secret of a Meta connection', () => {
  it('the app secret of a Meta connection proves each request and is not sent itself', async () => {
    const { sent } = await send({ accessToken: 'EAAB-token', appSecret: 'app-secret' });
    expect(sent).toMatchObject({ access_token: 'EAAB-token', appsecret_proof: proof });
    expect(JSON.stringify(sent)).not.toContain('app-secret');
  });

  it('the app secret of a Meta connection is optional', async () => {
    const { answer, sent } = await send({ accessToken: 'EAAB-token' });
    expect(answer).toMatchObject({ outcome: { kind: 'delivered' } });
    expect(sent).not.toHaveProperty('appsecret_proof');
  });

  it('stores neither the app secret of a Meta connection nor its proof', async () => {
    const message = `the secret app-secret does not give ${proof}`;
    const { answer } = await send({ accessToken: 'EAAB-token', appSecret: 'app-secret' }, (response, arrived) =>
      respond(400, { error: { code: 104, message, quoted: arrived.body } })(response, arrived),
    );
    expect(answer).toMatchObject({ outcome: { kind: 'refused' } });
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`app-secret|EAAB-token|${proof}`));
  });
});
