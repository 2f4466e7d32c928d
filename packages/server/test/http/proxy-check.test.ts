import { givenServer } from '@leadback/testing';
import { createLogger } from '../../src/app/index.ts';
import express from 'express';
import { describe, expect, it, vi } from 'vitest';
import { proxyCheck } from '../../src/http/index.ts';

const hourMs = 3_600_000;
const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };

const givenApp = async (trustProxyHops: number) => {
  let nowMs = 5_000;
  const log = createLogger('test', 'silent');
  const warn = vi.spyOn(log, 'warn');
  const check = proxyCheck(log, trustProxyHops, () => nowMs);
  const app = express().use(check.middleware, (_request, response) => response.end());
  const server = await givenServer(app);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { check, warn, server, pass, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};

describe('an app behind a proxy', () => {
  it('warns once, without IP addresses, if X-Forwarded-For arrives and no proxy is trusted', async () => {
    await using app = await givenApp(0);
    await fetch(app.server.url);
    expect([app.warn.mock.calls, app.check.isIgnoringProxy()]).toEqual([[], false]);
    for (const _ of [1, 2, 3]) await fetch(app.server.url, forwarded);
    expect(app.warn).toHaveBeenCalledOnce();
    expect(app.warn).toHaveBeenCalledWith(
      { setting: 'TRUST_PROXY', header: 'x-forwarded-for' },
      expect.stringMatching(/TRUST_PROXY=0.*addresses .* are lost.*limits/),
    );
    expect(JSON.stringify(app.warn.mock.calls)).not.toContain('203.0.113');
    expect(app.check.isIgnoringProxy()).toBe(true);
  });

  it('does not warn about the header Forwarded, which is never read', async () => {
    await using app = await givenApp(0);
    await fetch(app.server.url, { headers: { forwarded: 'for=203.0.113.7' } });
    expect([app.warn.mock.calls, app.check.isIgnoringProxy()]).toEqual([[], false]);
  });

  it('reports an ignored proxy until an hour after its last request, and warns only once', async () => {
    await using app = await givenApp(0);
    await fetch(app.server.url, forwarded);
    app.pass(hourMs - 1);
    await fetch(app.server.url, forwarded);
    app.pass(hourMs - 1);
    await fetch(app.server.url);
    expect(app.check.isIgnoringProxy()).toBe(true);
    app.pass(1);
    expect(app.check.isIgnoringProxy()).toBe(false);
    await fetch(app.server.url, forwarded);
    expect(app.check.isIgnoringProxy()).toBe(true);
    expect(app.warn).toHaveBeenCalledOnce();
  });

  it('finds that it misses TLS if most requests come from a proxy that ends it, until an hour after the last one', async () => {
    await using app = await givenApp(0);
    const ask = (protocol: string) => fetch(app.server.url, { headers: { 'x-forwarded-proto': protocol } });
    await ask('http');
    expect(app.check.isMissingTls()).toBe(false);
    for (let count = 0; count < 100; count += 1) await ask('https');
    expect(app.check.isMissingTls()).toBe(true);
    app.pass(hourMs);
    expect(app.check.isMissingTls()).toBe(false);
    await ask('https');
    expect(app.check.isMissingTls()).toBe(true);
    // a visitor who forges the header sends fewer than all others
    for (let count = 0; count < 100; count += 1) await fetch(app.server.url);
    for (let count = 0; count < 30; count += 1) await ask('https');
    expect(app.check.isMissingTls()).toBe(false);
  });

  it('misses no TLS behind a trusted proxy', async () => {
    await using app = await givenApp(1);
    await fetch(app.server.url, { headers: { 'x-forwarded-proto': 'https' } });
    expect(app.check.isMissingTls()).toBe(false);
  });

  it('does not warn about a trusted proxy', async () => {
    await using app = await givenApp(1);
    await fetch(app.server.url, forwarded);
    expect([app.warn.mock.calls, app.check.isIgnoringProxy()]).toEqual([[], false]);
  });
});
