import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort, localUrl } from '@leadback/testing/stack';
import { createLogger } from '../../src/app/index.ts';
import express, { type Response } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { requestLog, serve, tellInRequestLog } from '../../src/http/index.ts';

/** An app whose endpoint tells the log something after a while; `lines` has what it logged. */
const givenLoggedApp = async (until: (response: Response) => Promise<unknown>) => {
  const line = vi.fn<(fields: object, message: string) => void>();
  const silent = createLogger('test', 'silent');
  const log = Object.assign(silent, { info: line, child: () => silent });
  const app = express();
  app.post('/order', requestLog(log), async (_request, response) => {
    await until(response);
    tellInRequestLog(response, { orderId: 7 });
    if (!response.closed) tellInRequestLog(response, { isTest: true });
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
