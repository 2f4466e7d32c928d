import { eventually } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenStack } from '../support/given-stack.ts';

describe('an app that trusts no proxy', () => {
  it('warns once about an untrusted proxy, without the IP address', async () => {
    await using stack = await givenStack();
    await Promise.all([stack.start('landing'), stack.start('api')]);
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
});
