import { createServer, type Server } from 'node:http';

const replies: Readonly<Record<string, readonly [status: number, headers: Record<string, string>, body: unknown]>> = {
  'POST /client 1': [503, { 'retry-after': '1' }, { message: 'not available right now' }],
  'POST /client 2': [201, {}, { id: 7 }],
  'POST /client/conversion 1': [
    400,
    {
      'leadback-error': 'conversion-repeated',
      'leadback-conversion-id': '31',
      'leadback-repeated-field': 'conversionExternalReference',
    },
    { message: 'conversionExternalReference: a conversion with this reference already exists' },
  ],
  'GET /client/conversions?state=failed 1': [200, {}, { items: [{ id: 2 }], next: 'b' }],
  'GET /client/conversions?state=failed&after=b 1': [200, {}, { items: [{ id: 1 }], next: null }],
};

/** What `smoke` returns with this double. */
export const expected = {
  client: { id: 7, isRepeated: false },
  conversion: { id: 31, isRepeated: true },
  listed: [2, 1],
  webhook: 'webhook-invalid',
  abort: 'AbortError',
  isReference: true,
};

/** Stands in for the API, once. */
export const serveApiDouble = async (): Promise<Server> => {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const name = `${request.method} ${request.url}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const [status, headers, body] = replies[`${name} ${times}`] ?? [500, {}, { message: `unexpected: ${name}` }];
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
};
