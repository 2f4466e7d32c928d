import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respond } from '../bench-process.ts';

/** Serves with bare `node:http`, and tells the benchmark the URL when it asks. */
export const serve = (listener: RequestListener): void => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  const listening = once(server, 'listening');
  respond(async () => {
    await listening;
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  });
};
