import type { IncomingMessage, ServerResponse } from 'node:http';
import { givenServer } from '@leadback/testing';

/** An unreliable proxy to the API: answers the first `POST /client` with 503 and drops the first response of other paths. */
export const givenUnreliableProxy = (apiUrl: string) => {
  const seen = new Set<string>();

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const isFirst = !seen.has(path);
    seen.add(path);
    if (isFirst && path === '/client') {
      response.writeHead(503, { 'retry-after': '1' }).end('{"message":"not available right now"}');
      return;
    }
    const body = (await request.toArray()).join('');
    const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
      ['x-api-key', 'content-type', 'idempotency-key'].includes(name) ? [[name, values.join()]] : [],
    );
    const forwarded = await fetch(apiUrl + path, { method: 'POST', headers: Object.fromEntries(headers), body });
    const text = await forwarded.text();
    if (isFirst) request.socket.destroy();
    else response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(text);
  };

  return givenServer((request, response) => {
    void pass(request, response);
  });
};
