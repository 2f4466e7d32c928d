import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { googleEvent, googleRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const request = googleRequest([googleEvent()]);
const issuedSchema = z.object({ access_token: z.string() });

const serveWithClock = async () => {
  const clock = { ms: nowMs };
  const sandbox = await serveSandbox(() => clock.ms);
  const tokenOf = async (clientId: string) => {
    const grant = { grant_type: 'refresh_token', client_id: clientId, client_secret: 's', refresh_token: '1//r' };
    return issuedSchema.parse((await sandbox.token(grant)).body).access_token;
  };
  const send = async (token: string, times = 1) => {
    const answers = await Promise.all(Array.from({ length: times }, () => sandbox.google(request, token)));
    return answers.map(({ status }) => status);
  };
  return { ...sandbox, clock, tokenOf, send };
};
const taken = (times: number) => Array.from({ length: times }, () => 200);

describe('the quota of a project', () => {
  it('a Google project may make 300 requests per minute, all its clients together', async () => {
    await using sandbox = await serveWithClock();
    const [one, other] = [await sandbox.tokenOf('42-a.apps'), await sandbox.tokenOf('42-b.apps')];
    expect(await sandbox.send(one, 200)).toEqual(taken(200));
    sandbox.clock.ms += 20_000;
    expect(await sandbox.send(other, 100)).toEqual(taken(100));
    sandbox.clock.ms += 39_500;
    expect(await sandbox.google(request, one)).toMatchObject({
      status: 429,
      body: {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          details: expect.arrayContaining([
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.5s' },
          ]),
        },
      },
    });
    sandbox.clock.ms += 500;
    expect(await sandbox.send(other, 200)).toEqual(taken(200));
    expect(await sandbox.send(one)).toEqual([429]);
  });

  it("Google's quota of one project does not limit another", async () => {
    await using sandbox = await serveWithClock();
    await sandbox.send('ya29.one', 300);
    expect(await sandbox.send('ya29.one')).toEqual([429]);
    expect(await sandbox.send('ya29.other')).toEqual([200]);
    expect(await sandbox.send(await sandbox.tokenOf('42-a.apps'))).toEqual([200]);
  });
});
