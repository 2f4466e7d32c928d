import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@leadback/testing';
import { freePort, localUrl } from '@leadback/testing/stack';
import express, { type Response } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { createLogger, createMetrics } from '../../src/app/index.ts';
import { requestLog, serve, serveApp, addToRequestLog } from '../../src/http/index.ts';

/** An app whose endpoint tells the log something after a while; `lines` has what it logged. */
const givenLoggedApp = async (until: (response: Response) => Promise<unknown>) => {
  const line = vi.fn<(fields: object, message: string) => void>();
  const silent = createLogger('test', 'silent');
  const log = Object.assign(silent, { info: line, child: () => silent });
  const app = express();
  app.post('/order', requestLog(log), async (_request, response) => {
    await until(response);
    addToRequestLog(response, { orderId: 7 });
    if (!response.closed) addToRequestLog(response, { isTest: true });
    response.json({});
  });
  const port = await freePort();
  const server = await serve(app, { host: '127.0.0.1', port, express: app });
  return { port, lines: line.mock.calls, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};

describe('requestLog', () => {
  it('logs one line for a request, with what its endpoint tells', async () => {
    await using app = await givenLoggedApp(() => Promise.resolve());
    const headers = { 'x-request-id': 'a.1' };
    await fetch(`${localUrl(app.port)}/order?email=ana@example.com`, { method: 'POST', headers });
    const line = {
      requestId: 'a.1',
      method: 'POST',
      route: '/order',
      status: 200,
      ms: expect.any(Number),
      orderId: 7,
      isTest: true,
    };
    await expect.poll(() => app.lines).toEqual([[line, 'request']]);
  });

  it('logs what an endpoint did for a caller that had disconnected', async () => {
    await using app = await givenLoggedApp((response) => once(response, 'close'));
    const caller = connect(app.port, '127.0.0.1');
    await once(caller, 'connect');
    caller.write('POST /order HTTP/1.1\r\nHost: x\r\n\r\n', () => caller.destroy());
    await expect
      .poll(() => app.lines)
      .toEqual([
        [expect.objectContaining({ route: '/order', status: 499 }), 'request'],
        [{ orderId: 7 }, 'request completed without its caller'],
      ]);
  });
});

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
