import { givenServer } from '@leadback/testing';
import { createMetrics } from '../../src/app/index.ts';
import { describe, expect, it } from 'vitest';
import { operationsApp } from '../../src/http/index.ts';

const givenOperations = (isReady: () => boolean | Promise<boolean>) =>
  givenServer(operationsApp({ metrics: createMetrics('test'), checks: [{ name: 'database', isReady }] }));

describe('the operations port', () => {
  it('reports at /health and /ready that the process is alive and can serve', async () => {
    await using server = await givenOperations(() => true);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, checks: { database: true } }]);
  });

  it.each([
    ['fails', () => false],
    ['throws', () => Promise.reject(new Error('unavailable'))],
  ])('reports a check that %s at /ready, while /health succeeds', async (_, isReady) => {
    await using server = await givenOperations(isReady);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, checks: { database: false } }]);
  });

  it('exports the metrics of the process at /metrics', async () => {
    await using server = await givenOperations(() => true);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('process_cpu_seconds_total{app="test"}');
  });
});
