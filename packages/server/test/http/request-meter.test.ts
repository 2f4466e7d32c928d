import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort, localUrl } from '@leadback/testing/stack';
import { createMetrics } from '../../src/app/index.ts';
import { eventually } from '@leadback/testing';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { serveApp } from '../../src/http/index.ts';

/** `counted` returns the measured requests by method, route and status; `unanswered` waits for a request for `/slow`. */
const givenServedApp = async () => {
  const [port, operationsPort] = await Promise.all([freePort(), freePort()]);
  const metrics = createMetrics('test');
  const listener = express();
  const inner = express.Router();
  inner.get('/client/:id', (_request, response) => void response.json({}));
  listener.use('/api/v1', inner);
  const unanswered = Promise.withResolvers<void>();
  listener.get('/slow', () => unanswered.resolve());
  listener.get('/declined', (request, response) => {
    request.isDeclined = true;
    response.status(503).end();
  });
  listener.get('/failed', (_request, response) => void response.status(503).end());
  listener.get('/:slug', (_request, response) => void response.status(302).end());
  const server = await serveApp({
    host: '127.0.0.1',
    operationsHost: '127.0.0.1',
    operationsPort,
    offered: { port, listener, perNetwork: undefined },
    metrics,
    checks: [],
  });
  const url = localUrl(port);
  const counted = async () => {
    const lines = (await metrics.metrics()).matchAll(/^leadback_http_request_seconds_count\{(.*)\} (\d+)/gm);
    return [...lines].map(([, labels = '', count]) => {
      const told = labels
        .replaceAll('"', '')
        .split(',')
        .toSorted((a, b) => a.localeCompare(b));
      return [...told.filter((label) => label !== 'app=test'), count].join(' ');
    });
  };
  return {
    url,
    port,
    counted,
    unanswered: unanswered.promise,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

describe('requestMeter', () => {
  it('labels requests by route, whatever URLs and methods callers invent', async () => {
    await using app = await givenServedApp();
    const paths = ['/summer', '/winter?gclid=secret', '/api/v1/client/7', '/api/v1/client/8', '/api/v1/x', '/a/b/c'];
    for (const path of paths) await fetch(app.url + path, { redirect: 'manual' });
    await fetch(`${app.url}/a/b`, { method: 'PROPFIND' });
    await eventually(async () => {
      expect(await app.counted()).toEqual([
        'method=GET route=/:slug status=302 2',
        'method=GET route=/api/v1/client/:id status=200 2',
        'method=GET route=none status=404 2',
        'method=other route=none status=404 1',
      ]);
    });
  });

  it('does not count an intended 503 as 5xx', async () => {
    await using app = await givenServedApp();
    for (const path of ['/declined', '/failed']) expect((await fetch(app.url + path)).status).toBe(503);
    await eventually(async () => {
      expect(await app.counted()).toEqual([
        'method=GET route=/declined status=declined 1',
        'method=GET route=/failed status=503 1',
      ]);
    });
  });

  it('counts requests whose caller disconnected with status 499', async () => {
    await using app = await givenServedApp();
    const caller = connect(app.port, '127.0.0.1');
    await once(caller, 'connect');
    caller.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await app.unanswered;
    caller.destroy();
    await eventually(async () => {
      expect(await app.counted()).toEqual(['method=GET route=/slow status=499 1']);
    });
  });
});
