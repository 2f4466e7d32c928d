import { givenServer } from '@leadback/given';
import { createLogger } from '@leadback/runtime';
import express from 'express';
import { describe, expect, it, vi } from 'vitest';
import { proxyCheck } from '../src/index.ts';

const givenApp = async (trustProxyHops: number) => {
  const log = createLogger('test', 'silent');
  const warn = vi.spyOn(log, 'warn');
  const check = proxyCheck(log, trustProxyHops);
  const app = express().use(check.middleware, (_request, response) => response.end());
  const server = await givenServer(app);
  return { check, warn, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};

describe('an app behind a proxy', () => {
  it.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['forwarded', 'for=203.0.113.7'],
  ])('warns once, without any address, if it trusts no proxy and %s arrives', async (header, value) => {
    await using app = await givenApp(0);
    await fetch(app.server.url);
    expect([app.warn.mock.calls, app.check.isIgnoringProxy()]).toEqual([[], false]);
    for (const _ of [1, 2, 3]) await fetch(app.server.url, { headers: { [header]: value } });
    expect(app.warn).toHaveBeenCalledOnce();
    expect(app.warn).toHaveBeenCalledWith(
      { setting: 'TRUST_PROXY', header },
      expect.stringMatching(/TRUST_PROXY=0.*addresses .* are lost.*limits/),
    );
    expect(JSON.stringify(app.warn.mock.calls)).not.toContain('203.0.113');
    expect(app.check.isIgnoringProxy()).toBe(true);
  });

  it('does not warn if it trusts a proxy', async () => {
    await using app = await givenApp(1);
    await fetch(app.server.url, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect([app.warn.mock.calls, app.check.isIgnoringProxy()]).toEqual([[], false]);
  });
});
