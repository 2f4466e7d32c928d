import { eventually, secretsKey, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenStack } from '../support/given-stack.ts';

describe('an app', async () => {
  const stack = await shared(givenStack());
  await Promise.all([stack.start('landing'), stack.start('api')]);

  it('warns once about a proxy that it does not trust, without the IP address', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.77' };
    for (const url of [stack.landingUrl, stack.apiUrl]) {
      for (const _ of [1, 2]) await (await fetch(url, { headers })).text();
    }
    for (const app of ['landing', 'api'] as const) {
      // both requests are complete and logged
      await eventually(async () => expect(await stack.timesLogged(app, '"msg":"request"')).toBe(2));
      expect(await stack.timesLogged(app, 'TRUST_PROXY=0')).toBe(1);
      expect(await stack.logOf(app)).not.toContain('198.51.100.77');
    }
  });

  it('warns at its start if it has the whole SECRETS_KEY, with the command that prints its own, and otherwise not', async () => {
    expect(await stack.timesLogged('landing', 'landing is up')).toBe(1);
    expect(await stack.timesLogged('landing', 'SECRETS_KEY')).toBe(0);
    await stack.kill('landing');
    const whole = secretsKey.toString('base64');
    await stack.start('landing', { settings: { SECRETS_KEY: whole } });
    expect(await stack.timesLogged('landing', 'print them with `operator secrets keys --app landing`')).toBe(1);
    expect(await stack.logOf('landing')).not.toContain(whole);
  });
});
