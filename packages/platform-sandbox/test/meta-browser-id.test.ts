import { afterAll, describe, expect, it } from 'vitest';
import { hash, metaEvent, metaRequest } from './meta-event.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());

const send = (fbp: string) => sandbox.meta(metaRequest(metaEvent({ user_data: { em: [hash], fbp } })));

describe('fbp of an event of the Conversions API', () => {
  it.each(['fb.0.1558571054389.1', 'fb.2.1558571054389.12345678901234567890.AQYBAgAB', 'fb.1.1558571054389.1098.A_'])(
    'Meta accepts fbp as in the cookie: %s',
    async (fbp) => {
      expect(await send(fbp)).toMatchObject({ status: 200 });
    },
  );

  it.each([
    ['without its random number', 'fb.1.1558571054389.x'],
    ['in seconds', 'fb.1.1558571054.1'],
    ['in microseconds', 'fb.1.1558571054389000.1'],
    ['with too long a number', `fb.1.1558571054389.${'1'.repeat(21)}`],
    ['with too short an appendix', 'fb.1.1558571054389.1.A'],
    ['with too long an appendix', 'fb.1.1558571054389.1.AQYBAgABx'],
  ])('Meta rejects an fbp %s', async (_name, fbp) => {
    expect(await send(fbp)).toMatchObject({
      status: 400,
      body: { error: { code: 100, error_user_msg: expect.stringContaining('user_data.fbp') } },
    });
  });
});
