import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** How long a stopping server goes on answering, so that a load balancer notices before connections close. */
  readonly drainMs?: number;
  readonly onDraining?: () => void;
}

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // longer than a load balancer keeps an idle connection (60 s is usual), so that it is never we who close it in use
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

const closeMaxMs = 10_000;

const unreadable: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers: larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** Answers what is no HTTP request, or none that can be read, in the one error shape of the service. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = unreadable[error.code ?? ''] ?? [400, 'not a valid HTTP request'];
  const body = JSON.stringify({ message });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

/**
 * Serves until disposed. Disposing drains: every answer from then on closes its connection, new requests are still
 * served for `drainMs`, and then those under way are waited for.
 */
export const serve = async (app: RequestListener, options: ServeOptions): Promise<AsyncDisposable> => {
  const { host, port, drainMs = 0, onDraining } = options;
  let isDraining = false;
  const server = createServer(limits, (request, response) => {
    if (isDraining) response.setHeader('Connection', 'close');
    app(request, response);
  });
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      isDraining = true;
      onDraining?.();
      await pause(drainMs);
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeIdleConnections();
      await Promise.race([closed, pause(closeMaxMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
};
